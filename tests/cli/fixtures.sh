# Functions for the cases: small files of people who do not exist.

# 160 people: age (integer), income (number), job and city (categories), outcome (yes, no).
make_people() { # FILE
    awk 'BEGIN {
        split("clerk,farmer,nurse", job, ","); split("oslo,rome", city, ",")
        print "age,income,job,city,outcome"
        for (i = 1; i <= 160; i++) {
            age = 20 + (i * 37) % 45; income = 1000 + (i * 733) % 3000 + 0.5
            j = 1 + (i * 7) % 3; c = 1 + (i * 5) % 2
            score = (income - 2500) / 900 + (age - 42) / 30 + (j == 3 ? 0.5 : 0) + ((i * 31) % 11 - 5) / 8
            printf "%d,%.1f,%s,%s,%s\n", age, income, job[j], city[c], (score >= 0 ? "yes" : "no")
        }
    }' >"$1"
}

# people.csv and people.tacit, trained on it.
make_model() {
    make_people people.csv
    tacit fit people.csv --label outcome --public city --threads 1 --l2 1 -o people.tacit --quiet
}

# The line N of people.csv (the header is line 1) with field F replaced by TEXT, into FILE.
spoil() { # FILE N F TEXT
    [ -e people.csv ] || make_people people.csv
    awk -F, -v OFS=, -v n="$2" -v f="$3" -v text="$4" 'NR == n { $f = text } { print }' people.csv >"$1"
}

# Three classes.
make_three() { # FILE
    awk 'BEGIN {
        print "size,weight,colour,kind"
        for (i = 1; i <= 90; i++) {
            k = i % 3; size = 10 * k + (i * 17) % 12; weight = 5 * (2 - k) + (i * 13) % 9
            printf "%d,%d,%s,%s\n", size, weight,
                ((i * 7) % 4 < 2 ? "red" : "blue"), (k == 0 ? "ant" : k == 1 ? "bee" : "cat")
        }
    }' >"$1"
}

# Networks made elsewhere with their people and schemas: the folder of tests/golden that holds them.
networks=$here/../golden/onnx

# people.csv and schema.json for the networks that decide "outcome" or "tier".
make_import() { # LABEL
    cp "$networks/people.csv" .
    cp "$networks/$1.json" schema.json
}

# people.csv with two bad records and cells that are wrong in four columns, into FILE.
make_wrong() { # FILE
    [ -e people.csv ] || make_people people.csv
    awk -F, -v OFS=, 'NR == 5 || NR == 9 { $1 = "old" } NR == 12 { $3 = "pilot" } NR == 20 { $5 = "maybe" }
        NR == 30 { $2 = "oops" } NR == 33 { $0 = "1,2,3" } NR == 40 { $0 = "1,\"say \"\"hi\"\" x\",clerk,oslo,yes" }
        NR == 43 { $0 = "a,b,\"x\"y,c,d" } { print }' people.csv >"$1"
}
