#!/bin/sh
# Build the Debian packages and use them in a clean system: a minimal Debian made by debootstrap gets the packages and
# what they depend on, nothing else; there the demo runs, a program is compiled with pkg-config, Python audits, and the
# service answers.  Needs root, debootstrap, what debian/control builds with, and Debian's servers; so it is run by hand.
#
#   tools/check-packages.sh [FOLDER]      packages, log and the clean system go there; default: one of its own, removed
#
# TACIT_WEB_DIST=FOLDER takes pages built before (debian/rules).  RELEASE and MIRROR are those of debootstrap, which has
# a mirror of its own without.
# What is between quotes is for the shell inside.
# shellcheck disable=SC2016
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
release=${RELEASE:-bookworm}
mirror=${MIRROR:-}
work=${1:-$(mktemp -d)}
mkdir -p "$work/packages"
work=$(cd "$work" && pwd)
clean=$work/clean
own=$([ $# -eq 0 ] && echo yes || echo no)

end() {
    umount "$clean/proc" 2>/dev/null || :
    if ! mountpoint -q "$clean/proc"; then
        rm -rf "$clean" "$work/source"
        [ "$own" = no ] || rm -rf "$work"
    fi
}
trap end EXIT
trap 'exit 1' INT TERM

# In the clean system, with nothing of this one's environment.
inside() {
    chroot "$clean" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/trial LC_ALL=C.UTF-8 \
        DEBIAN_FRONTEND=noninteractive "$@"
}

echo "== packages"
mkdir "$work/source"
(cd "$top" && git ls-files -z | tar c --null -T -) | tar x -C "$work/source"
(cd "$work/source" && DEB_BUILD_OPTIONS="parallel=$(nproc)" dpkg-buildpackage -us -uc -b) >"$work/build.log" 2>&1 ||
    { tail -n 20 "$work/build.log" >&2; exit 1; }
mv "$work"/*.deb "$work"/*.buildinfo "$work"/*.changes "$work/packages/"
ls "$work/packages"

echo "== a clean $release"
debootstrap --variant=minbase "$release" "$clean" ${mirror:+"$mirror"} >"$work/debootstrap.log" 2>&1 ||
    { tail -n 20 "$work/debootstrap.log" >&2; exit 1; }
mount -t proc proc "$clean/proc"
mkdir "$clean/packages" "$clean/trial"
cp "$work"/packages/*.deb "$clean/packages/"
cp "$top/examples/audit.c" "$clean/trial/"

echo "== install"
inside apt-get -qq update
inside sh -c 'apt-get -qq install --no-install-recommends -y /packages/tacit_*.deb' >"$work/install.log" 2>&1
inside sh -c 'ldd /usr/bin/tacit | grep -q "not found"' && { echo "tacit lacks a library" >&2; exit 1; }
inside sh -c 'dpkg -l | grep -cE "^ii"' | sed 's/$/ packages with tacit alone/'

echo "== the program"
inside sh -c 'cd /trial && tacit demo --keep sample' >"$work/demo.log" 2>&1
tail -n 3 "$work/demo.log"
inside sh -c 'test -s /usr/share/man/man1/tacit.1.gz && test -s /usr/share/man/man1/tacit-serve.1.gz'

echo "== the service"
inside sh -c '
set -eu
cd /trial
head -c 32 /dev/urandom >key && chmod 600 key
tacit serve sample/loans.tacit --key key --listen 127.0.0.1:0 >out 2>err &
server=$!
trap "kill $server" EXIT
tries=0
while ! grep -q listening out && [ $tries -lt 100 ]; do sleep 0.1; tries=$((tries + 1)); done
port=$(sed -n "s|.*127.0.0.1:\([0-9]*\)/.*|\1|p" out)
perl -MIO::Socket::INET -e "
my \$s = IO::Socket::INET->new(PeerAddr => q(127.0.0.1), PeerPort => $port) or die qq(nobody listens\n);
print \$s qq(GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n);
my \$first = <\$s>; print \$first; exit(\$first !~ / 200 /);"
kill $server
wait $server
trap - EXIT'

echo "== the libraries"
inside sh -c 'apt-get -qq install --no-install-recommends -y gcc libc6-dev pkg-config /packages/libtacit0_*.deb \
    /packages/libtacit-dev_*.deb' >>"$work/install.log" 2>&1
inside sh -c '
set -eu
cd /trial
cc -std=c17 -Wall -Wextra -Werror -o audit audit.c $(pkg-config --cflags --libs tacit)
./audit sample/loans.tacit sample/loans.csv' >"$work/audit.log"
tail -n 3 "$work/audit.log"

echo "== Python"
inside sh -c 'apt-get -qq install --no-install-recommends -y /packages/python3-tacit_*.deb' >>"$work/install.log" 2>&1
inside sh -c '
set -eu
cd /trial
python3 -c "import sys, tacit
print(tacit.load(sys.argv[1]).audit(sys.argv[2], deltas=[0]))" sample/loans.tacit sample/loans.csv' >"$work/python.log"
tail -n 5 "$work/python.log"

echo "== remove"
inside apt-get -qq purge -y tacit libtacit0 libtacit-dev python3-tacit >>"$work/install.log" 2>&1
left=$(inside find /usr /etc -name '*tacit*' -not -path '/usr/share/doc/*')
[ -z "$left" ] || { echo "left behind: $left" >&2; exit 1; }
echo "the packages work in a clean system"
