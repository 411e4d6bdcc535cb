/*
 * sample_loans.c -- a seeded generator of loan applicants who do not exist.
 *
 * One person is drawn from top to bottom: age, then what follows from age (years in the job, kind of job), then income
 * from those, then what follows from income (savings, housing, debts, the loan asked for), then how they pay.  So
 * attributes hang together the way they do in life, and several say nearly the same thing twice: savings follow
 * income, employment years follow age, debts follow housing.  The outcome is a noisy weighing of the burden of the
 * loan, late payments, job and reserves.
 *
 * Only integer arithmetic and sums, products and comparisons of doubles are used, no library function of real numbers:
 * the bytes are the same everywhere.  Draws that look normal are sums of twelve uniform ones.
 */
#include "sample_loans.h"

#include <stdio.h>
#include <stdlib.h>

#include "cli.h"

const char sample_label[] = "outcome";
const char sample_public[] = "region,loan_amount,loan_term";

static const char *const regions[] = {"north", "east", "south", "west", "capital"};
static const char *const jobs[] = {"employee", "public service", "self-employed", "student", "unemployed", "retired"};
static const char *const homes[] = {"rented", "own", "mortgage", "with family"};
enum { EMPLOYEE, PUBLIC_SERVICE, SELF_EMPLOYED, STUDENT, UNEMPLOYED, RETIRED };
enum { RENTED, OWN, MORTGAGE, WITH_FAMILY };

typedef struct applicant {
    int age, job, employment_years, dependants, home, region, late_payments, loan_amount, loan_term;
    double income, savings, debts;
    int repaid;
} applicant;

/* SplitMix64: a counter, thoroughly mixed. */
static uint64_t draw_bits(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static double draw_uniform(uint64_t *state)
{
    return (double)(draw_bits(state) >> 11) * 0x1p-53;
}

static double draw_normal(uint64_t *state)
{
    double sum = -6;

    for (int i = 0; i < 12; i++)
        sum += draw_uniform(state);
    return sum;
}

/* Index drawn with the given weights (they sum to 1). */
static int draw_index(uint64_t *state, const double *weights, int n)
{
    double u = draw_uniform(state);
    int i = 0;

    for (; i < n - 1 && u >= weights[i]; i++)
        u -= weights[i];
    return i;
}

static double clamp(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

/* Half away from zero; x is far from the limits of int. */
static int round_to_int(double x)
{
    return (int)(x < 0 ? x - 0.5 : x + 0.5);
}

static void draw_work(uint64_t *state, applicant *a)
{
    static const double young[] = {0.50, 0.10, 0.06, 0.26, 0.08, 0.00};
    static const double middle[] = {0.55, 0.22, 0.15, 0.01, 0.07, 0.00};
    static const double old[] = {0.10, 0.05, 0.08, 0.00, 0.02, 0.75};
    static const double pay[] = {2900, 3200, 3300, 1150, 1250, 2100};

    a->age = round_to_int(clamp(43 + 13 * draw_normal(state), 19, 75));
    a->job = draw_index(state, a->age < 27 ? young : a->age < 62 ? middle : old, 6);
    a->employment_years = round_to_int(clamp((a->age - 21) * (0.25 + 0.45 * draw_uniform(state)), 0, 40));
    if (a->job == STUDENT || a->job == UNEMPLOYED)
        a->employment_years /= 4;
    a->income = pay[a->job] + 38 * a->employment_years + (a->job == SELF_EMPLOYED ? 900 : 480) * draw_normal(state);
    a->income = round_to_int(clamp(a->income, 1000, 5400) * 100) / 100.0;
}

static void draw_household(uint64_t *state, applicant *a)
{
    static const double poor[] = {0.58, 0.06, 0.08, 0.28};
    static const double comfortable[] = {0.42, 0.17, 0.33, 0.08};
    static const double settled[] = {0.20, 0.40, 0.37, 0.03};
    static const double places[] = {0.22, 0.18, 0.20, 0.24, 0.16};

    a->dependants = round_to_int(clamp((a->age > 27 && a->age < 58 ? 1.3 : 0.3) + 1.1 * draw_normal(state), 0, 5));
    a->home = draw_index(state, a->income < 2300 ? poor : a->age < 45 ? comfortable : settled, 4);
    a->region = draw_index(state, places, 5);
    a->savings = 3.1 * (a->income - 1100) + 130 * a->employment_years - 700 * a->dependants + 1500 * draw_normal(state);
    a->savings = round_to_int(clamp(a->savings, 0, 15000) / 50) * 50;
    a->debts = (a->home == MORTGAGE ? 11000
                : a->home == OWN    ? 2200
                                    : 3000) +
               650 * a->dependants + 1800 * draw_normal(state);
    a->debts = round_to_int(clamp(a->debts, 0, 15000) / 50) * 50;
}

static void draw_loan(uint64_t *state, applicant *a)
{
    double strain, score;

    a->loan_amount = round_to_int(clamp(2500 + 2.3 * a->income + 3600 * draw_normal(state), 1000, 22000) / 250) * 250;
    a->loan_term = 12 * round_to_int(clamp(1.2 + a->loan_amount / 4500.0 + 0.8 * draw_normal(state), 1, 6));
    strain = 1.9 - a->income / 2000 - a->savings / 11000 + (a->job == UNEMPLOYED ? 0.9 : 0) + 1.0 * draw_normal(state);
    a->late_payments = round_to_int(clamp(strain, 0, 4));
    score = (a->income - 3000) / 900 - 1.3 * a->late_payments - (a->loan_amount - 9500) / 2000.0 -
            (a->loan_term - 36) / 45.0 + (a->savings - 6000) / 20000 - (a->debts - 4500) / 30000 -
            0.05 * a->dependants + (a->employment_years - 10) / 150.0;
    score += a->job == PUBLIC_SERVICE ? 0.25 : a->job == SELF_EMPLOYED ? -0.2 : a->job == UNEMPLOYED ? -0.35 : 0;
    score += a->home == OWN ? 0.15 : 0;
    a->repaid = score + 1.6 + 0.9 * draw_normal(state) >= 0;
}

char *sample_loans(uint64_t seed, size_t people, size_t *size)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, size);
    uint64_t state = seed * 0x9e3779b97f4a7c15u + 0x5bd1e995u;

    if (!out)
        exit(cli_complain(CLI_INTERNAL, "out of memory"));
    fputs("age,job,employment_years,income,housing,dependants,savings,existing_debts,late_payments,"
          "region,loan_amount,loan_term,outcome\n",
          out);
    for (size_t i = 0; i < people; i++) {
        applicant a;

        draw_work(&state, &a);
        draw_household(&state, &a);
        draw_loan(&state, &a);
        fprintf(out, "%d,%s,%d,%.2f,%s,%d,%.0f,%.0f,%d,%s,%d,%d,%s\n", a.age, jobs[a.job], a.employment_years, a.income,
                homes[a.home], a.dependants, a.savings, a.debts, a.late_payments, regions[a.region], a.loan_amount,
                a.loan_term, a.repaid ? "repaid" : "default");
    }
    if (fclose(out))
        exit(cli_complain(CLI_INTERNAL, "out of memory"));
    return text;
}
