#!/bin/sh
# The examples of how to run the service: do they say what this program understands?  Options are looked up in the help;
# nginx, where it is installed, reads its configuration; YAML is read by whatever there is; yamllint and dockerfilelint look at
# the rest where they are.
#
#   tools/check-deploy.sh DEPLOY_FOLDER TACIT
set -eu
deploy=$1
tacit=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
    echo "$1" >&2
    exit 1
}

# Every option that an example gives to tacit serve exists.
"$tacit" help serve >"$work/help"
for file in Containerfile kubernetes.yaml tacit.service; do
    case $file in
    tacit.service) grep '^ExecStart=' "$deploy/$file" ;;
    Containerfile) sed -n '/^CMD/,$p' "$deploy/$file" ;;
    *) sed -n '/args:/,/ports:/p' "$deploy/$file" ;;
    esac | grep -o -e '--[a-z-]*' | sort -u >"$work/options"
    [ -s "$work/options" ] || fail "$file: no options found"
    while read -r option; do
        grep -q -e "  $option\b" "$work/help" || fail "$file: tacit serve has no $option"
    done <"$work/options"
done

# An image from scratch, built in stages, without a user who may do anything.
grep -q '^FROM scratch$' "$deploy/Containerfile" || fail "Containerfile: the image is not from scratch"
grep -q '^USER [1-9][0-9]*:[1-9][0-9]*$' "$deploy/Containerfile" || fail "Containerfile: root"
if grep -n ':latest' "$deploy/Containerfile" "$deploy/kubernetes.yaml"; then
    fail "a version that changes by itself"
fi
for line in 'runAsNonRoot: true' 'readOnlyRootFilesystem: true' 'allowPrivilegeEscalation: false' 'drop: \[ALL\]' \
    'path: /readyz' 'path: /healthz' 'replicas: 2' 'secretName: '; do
    grep -q "$line" "$deploy/kubernetes.yaml" || fail "kubernetes.yaml: $line is missing"
done
if python3 -c 'import yaml' 2>/dev/null; then
    python3 -c 'import sys, yaml
kinds = [part["kind"] for part in yaml.safe_load_all(open(sys.argv[1]))]
assert kinds == ["Deployment", "Service", "PodDisruptionBudget"], kinds' "$deploy/kubernetes.yaml"
else
    echo "kubernetes.yaml: not read, there is no YAML reader here"
fi
if command -v yamllint >/dev/null; then
    yamllint --strict -d '{extends: default, rules: {line-length: {max: 120}}}' "$deploy/kubernetes.yaml"
else
    echo "kubernetes.yaml: not linted, there is no yamllint here"
fi
if command -v dockerfilelint >/dev/null; then
    dockerfilelint "$deploy/Containerfile"
else
    echo "Containerfile: not linted, there is no dockerfilelint here (npm install -g dockerfilelint)"
fi

# nginx reads the configuration, with a certificate made up for it.
if command -v nginx >/dev/null && command -v openssl >/dev/null; then
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost \
        -keyout "$work/key.pem" -out "$work/cert.pem" 2>/dev/null
    sed -e "s|/etc/ssl/questions.example.pem|$work/cert.pem|" -e "s|/etc/ssl/private/questions.example.key|$work/key.pem|" \
        -e "s|/var/log/nginx/tacit-error.log|$work/error.log|" "$deploy/nginx.conf" >"$work/tacit.conf"
    {
        echo "pid $work/pid; events {} http {"
        for kind in client_body proxy fastcgi uwsgi scgi; do
            echo "${kind}_temp_path $work/$kind;"
        done
        echo "include $work/tacit.conf; }"
    } >"$work/nginx.conf"
    nginx -t -q -c "$work/nginx.conf" -p "$work/" -e "$work/start.log" || fail "nginx.conf: nginx does not take it"
else
    echo "nginx.conf: not read, there is no nginx here"
fi
echo "options, image, YAML and proxy are as they should be"
