/*
 * test_file.c -- files written whole or not at all, and errors that name them.
 */
#include "base.h"

#include <errno.h>
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[64];

static int make_folder(void **state)
{
    (void)state;
    snprintf(folder, sizeof(folder), "/tmp/tacit-test-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    DIR *dir = opendir(folder);
    struct dirent *entry;

    (void)state;
    while (dir && (entry = readdir(dir)))
        unlinkat(dirfd(dir), entry->d_name, 0);
    closedir(dir);
    return rmdir(folder);
}

static const char *in_folder(const char *name)
{
    static char path[2][400];
    static int turn;

    turn = !turn;
    snprintf(path[turn], sizeof(path[turn]), "%s/%s", folder, name);
    return path[turn];
}

static size_t count_entries(void)
{
    DIR *dir = opendir(folder);
    struct dirent *entry;
    size_t n = 0;

    assert_non_null(dir);
    while ((entry = readdir(dir)))
        n += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(dir);
    return n;
}

static void expect_content(const char *path, const char *expected)
{
    char *bytes;
    size_t size;

    assert_int_equal(tct_file_read(&bytes, &size, path, 1 << 20, NULL), TACIT_OK);
    assert_int_equal(size, strlen(expected));
    assert_string_equal(bytes, expected);
    tct_free(bytes);
}

static void file__appears_only_when_committed(void **state)
{
    const char *path = in_folder("a.txt");
    tct_file *file;

    (void)state;
    assert_int_equal(tct_file_create(&file, path, NULL), TACIT_OK);
    assert_int_equal(tct_file_append(file, "hello", 5, NULL), TACIT_OK);
    assert_int_not_equal(access(path, F_OK), 0);
    assert_int_equal(tct_file_append(file, " world", 6, NULL), TACIT_OK);
    assert_int_equal(tct_file_commit(file, NULL), TACIT_OK);
    expect_content(path, "hello world");
    assert_int_equal(count_entries(), 1);
}

static void file__abandon_keeps_the_old_one(void **state)
{
    const char *path = in_folder("a.txt");
    tct_file *file;

    (void)state;
    assert_int_equal(tacit_file_write(path, "old", 3, NULL), TACIT_OK);
    assert_int_equal(tct_file_create(&file, path, NULL), TACIT_OK);
    assert_int_equal(tct_file_append(file, "new", 3, NULL), TACIT_OK);
    tct_file_abandon(file);
    tct_file_abandon(NULL);
    expect_content(path, "old");
    assert_int_equal(count_entries(), 1);
}

static void file__large_pieces_keep_their_order(void **state)
{
    const char *path = in_folder("large");
    size_t sizes[] = {1, 65535, 2, 65536, 200000, 7, 65530, 100}, total = 0, size;
    unsigned char *piece = malloc(200000);
    char *bytes;
    tct_file *file;

    (void)state;
    assert_int_equal(tct_file_create(&file, path, NULL), TACIT_OK);
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        for (size_t k = 0; k < sizes[i]; k++)
            piece[k] = (unsigned char)((total + k) * 31 >> 3);
        assert_int_equal(tct_file_append(file, piece, sizes[i], NULL), TACIT_OK);
        total += sizes[i];
    }
    free(piece);
    assert_int_equal(tct_file_commit(file, NULL), TACIT_OK);
    assert_int_equal(tct_file_read(&bytes, &size, path, total, NULL), TACIT_OK);
    assert_int_equal(size, total);
    for (size_t k = 0; k < size; k++)
        assert_int_equal((unsigned char)bytes[k], (unsigned char)(k * 31 >> 3));
    tct_free(bytes);
}

static void file__mode_honours_umask_and_the_old_file(void **state)
{
    const char *path = in_folder("mode");
    mode_t before = umask(027);
    struct stat info;

    (void)state;
    assert_int_equal(tacit_file_write(path, "x", 1, NULL), TACIT_OK);
    umask(before);
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0640);
    assert_int_equal(chmod(path, 0600), 0);
    assert_int_equal(tacit_file_write(path, "y", 1, NULL), TACIT_OK);
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0600);
}

static void file__follows_links(void **state)
{
    char link[400], target[400];
    struct stat info;

    (void)state;
    snprintf(target, sizeof(target), "%s", in_folder("target"));
    snprintf(link, sizeof(link), "%s", in_folder("link"));
    assert_int_equal(tacit_file_write(target, "old", 3, NULL), TACIT_OK);
    assert_int_equal(symlink("target", link), 0);
    assert_int_equal(tacit_file_write(link, "new", 3, NULL), TACIT_OK);
    assert_int_equal(lstat(link, &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    expect_content(target, "new");
}

static void file__longest_name_works(void **state)
{
    char name[256];

    (void)state;
    memset(name, 'n', 255);
    name[255] = '\0';
    assert_int_equal(tacit_file_write(in_folder(name), "x", 1, NULL), TACIT_OK);
    expect_content(in_folder(name), "x");
}

static void file__write_errors_name_the_file(void **state)
{
    char expected[500];
    tacit_error err;

    (void)state;
    assert_int_equal(tacit_file_write("/dev/full", "x", 1, &err), TACIT_E_IO);
    assert_string_equal(err.message, "cannot write /dev/full: No space left on device");
    assert_int_equal(tacit_file_write(folder, "x", 1, &err), TACIT_E_IO);
    snprintf(expected, sizeof(expected), "cannot write %s: is a directory", folder);
    assert_string_equal(err.message, expected);
    assert_int_equal(tacit_file_write(in_folder("no/such"), "x", 1, &err), TACIT_E_IO);
    snprintf(expected, sizeof(expected), "cannot write %s/no/such: No such file or directory", folder);
    assert_string_equal(err.message, expected);
    assert_int_equal(tacit_file_write(in_folder("new/"), "x", 1, &err), TACIT_E_IO);
    assert_int_equal(tacit_file_write("", "x", 1, &err), TACIT_E_IO);
    assert_int_equal(count_entries(), 0);
}

static void file__devices_are_written_directly(void **state)
{
    struct stat info;

    (void)state;
    assert_int_equal(tacit_file_write("/dev/null", "x", 1, NULL), TACIT_OK);
    assert_int_equal(stat("/dev/null", &info), 0);
    assert_true(S_ISCHR(info.st_mode));
}

static void *read_pipe(void *path)
{
    static char got[16];
    int fd = open(path, O_RDONLY);
    ssize_t n = read(fd, got, sizeof(got) - 1);

    close(fd);
    got[n > 0 ? n : 0] = '\0';
    return got;
}

static void file__pipes_are_written_directly(void **state)
{
    char path[400];
    pthread_t thread;
    void *got;
    struct stat info;

    (void)state;
    snprintf(path, sizeof(path), "%s", in_folder("pipe"));
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_int_equal(pthread_create(&thread, NULL, read_pipe, path), 0);
    assert_int_equal(tacit_file_write(path, "through", 7, NULL), TACIT_OK);
    assert_int_equal(pthread_join(thread, &got), 0);
    assert_string_equal(got, "through");
    assert_int_equal(stat(path, &info), 0);
    assert_true(S_ISFIFO(info.st_mode));
}

static void file__failed_write_leaves_the_old_one(void **state)
{
    const char *path = in_folder("a.txt");
    char *large = calloc(1, 200000);
    tacit_error err;

    (void)state;
    assert_int_equal(tacit_file_write(path, "old", 3, NULL), TACIT_OK);
    tct_io_fail_at(1);
    assert_int_equal(tacit_file_write(path, "new", 3, &err), TACIT_E_IO);
    assert_non_null(strstr(err.message, "Input/output error"));
    assert_non_null(strstr(err.message, path));
    tct_io_fail_at(1);
    assert_int_equal(tacit_file_write(path, large, 200000, &err), TACIT_E_IO);
    tct_io_fail_at(0);
    free(large);
    expect_content(path, "old");
    assert_int_equal(count_entries(), 1);
}

static void file__out_of_memory_leaves_nothing(void **state)
{
    const char *path = in_folder("a.txt");
    uint64_t nth = 0;
    tacit_status st;

    (void)state;
    do {
        tct_memory_fail_at(++nth, false);
        st = tacit_file_write(path, "x", 1, NULL);
        tct_memory_fail_at(0, false);
        assert_true(st == TACIT_OK || st == TACIT_E_MEMORY);
        assert_int_equal(count_entries(), st == TACIT_OK);
    } while (st != TACIT_OK);
    assert_true(nth > 3);
}

static void file__read_respects_the_limit(void **state)
{
    const char *path = in_folder("ten");
    char *bytes;
    size_t size;
    tacit_error err;

    (void)state;
    assert_int_equal(tacit_file_write(path, "0123456789", 10, NULL), TACIT_OK);
    assert_int_equal(tct_file_read(&bytes, &size, path, 10, NULL), TACIT_OK);
    assert_int_equal(size, 10);
    assert_string_equal(bytes, "0123456789");
    tct_free(bytes);
    assert_int_equal(tct_file_read(&bytes, &size, path, 9, &err), TACIT_E_INPUT);
    assert_null(bytes);
    assert_non_null(strstr(err.message, "larger than the 9 bytes allowed"));
    assert_int_equal(tct_file_read(&bytes, &size, path, 0, &err), TACIT_E_INPUT);
    assert_int_equal(tct_file_read(&bytes, &size, "/dev/zero", 100000, &err), TACIT_E_INPUT);
}

static void file__read_of_unknown_size(void **state)
{
    char *bytes;
    size_t size;

    (void)state;
    /* A file in /proc says that its size is 0. */
    assert_int_equal(tct_file_read(&bytes, &size, "/proc/self/maps", 1 << 26, NULL), TACIT_OK);
    assert_true(size > 0);
    assert_int_equal(strlen(bytes), size);
    tct_free(bytes);
    assert_int_equal(tct_file_read(&bytes, &size, "/dev/null", 100, NULL), TACIT_OK);
    assert_int_equal(size, 0);
    assert_string_equal(bytes, "");
    tct_free(bytes);
}

static void file__read_errors_name_the_file(void **state)
{
    char expected[500], *bytes;
    size_t size;
    tacit_error err;

    (void)state;
    assert_int_equal(tct_file_read(&bytes, &size, "/no/such/file", 100, &err), TACIT_E_IO);
    assert_string_equal(err.message, "cannot read /no/such/file: No such file or directory");
    assert_int_equal(tct_file_read(&bytes, &size, folder, 100, &err), TACIT_E_IO);
    snprintf(expected, sizeof(expected), "cannot read %s: is a directory", folder);
    assert_string_equal(err.message, expected);
    tct_io_fail_at(1);
    assert_int_equal(tct_file_read(&bytes, &size, "/dev/null", 100, &err), TACIT_E_IO);
    tct_io_fail_at(0);
    assert_string_equal(err.message, "cannot read /dev/null: Input/output error");
    assert_null(bytes);
    for (uint64_t nth = 1; nth <= 3; nth++) {
        tct_memory_fail_at(nth, false);
        assert_int_equal(tct_file_read(&bytes, &size, "/dev/null", 100, &err), TACIT_E_MEMORY);
        assert_null(bytes);
    }
    tct_memory_fail_at(0, false);
}

static void reader__fills_the_room_until_the_end(void **state)
{
    const char *path = in_folder("bytes");
    tct_reader *reader;
    char room[8];
    size_t got;

    (void)state;
    assert_int_equal(tacit_file_write(path, "0123456789", 10, NULL), TACIT_OK);
    assert_int_equal(tct_reader_open(&reader, path, NULL), TACIT_OK);
    assert_int_equal(tct_reader_size(reader), 10);
    assert_int_equal(tct_reader_read(reader, room, 8, &got, NULL), TACIT_OK);
    assert_int_equal(got, 8);
    assert_memory_equal(room, "01234567", 8);
    assert_int_equal(tct_reader_read(reader, room, 8, &got, NULL), TACIT_OK);
    assert_int_equal(got, 2);
    assert_memory_equal(room, "89", 2);
    assert_int_equal(tct_reader_read(reader, room, 8, &got, NULL), TACIT_OK);
    assert_int_equal(got, 0);
    tct_reader_close(reader);
    tct_reader_close(NULL);
}

/* Opened, changed, read to the end. */
static void read_after(void (*change)(const char *path), tacit_status expected)
{
    const char *path = in_folder("people");
    char bytes[64];
    size_t got;
    tct_reader *reader = NULL;
    tacit_error err = {0};

    assert_int_equal(tacit_file_write(path, "a,b\n1,2\n", 8, &err), TACIT_OK);
    assert_int_equal(tct_reader_open(&reader, path, &err), TACIT_OK);
    assert_int_equal(tct_reader_read(reader, bytes, 4, &got, &err), TACIT_OK);
    change(path);
    assert_int_equal(tct_reader_read(reader, bytes, sizeof(bytes), &got, &err), expected);
    if (expected)
        assert_non_null(strstr(err.message, "people: the file changed while it was read"));
    tct_reader_close(reader);
}

static void change_nothing(const char *path)
{
    (void)path;
}

static void append_row(const char *path)
{
    FILE *file = fopen(path, "a");

    assert_non_null(file);
    fputs("3,4\n", file);
    fclose(file);
}

/* The same size, another time. */
static void write_over(const char *path)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    struct timespec times[2] = {{.tv_nsec = UTIME_OMIT}, {.tv_sec = 1000000, .tv_nsec = 5}};

    assert_int_equal(pwrite(fd, "9", 1, 6), 1);
    assert_int_equal(futimens(fd, times), 0);
    close(fd);
}

static void cut_short(const char *path)
{
    assert_int_equal(truncate(path, 5), 0);
}

/* What was opened is still all there. */
static void put_another_in_its_place(const char *path)
{
    assert_int_equal(tacit_file_write(path, "another", 7, NULL), TACIT_OK);
}

static void file__changed_while_read_is_an_error(void **state)
{
    (void)state;
    read_after(change_nothing, TACIT_OK);
    read_after(append_row, TACIT_E_INPUT);
    read_after(write_over, TACIT_E_INPUT);
    read_after(cut_short, TACIT_E_INPUT);
    read_after(put_another_in_its_place, TACIT_OK);
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(file__appears_only_when_committed),
        IN_FOLDER(file__abandon_keeps_the_old_one),
        IN_FOLDER(file__large_pieces_keep_their_order),
        IN_FOLDER(file__mode_honours_umask_and_the_old_file),
        IN_FOLDER(file__follows_links),
        IN_FOLDER(file__longest_name_works),
        IN_FOLDER(file__write_errors_name_the_file),
        IN_FOLDER(file__devices_are_written_directly),
        IN_FOLDER(file__pipes_are_written_directly),
        IN_FOLDER(file__failed_write_leaves_the_old_one),
        IN_FOLDER(file__out_of_memory_leaves_nothing),
        IN_FOLDER(file__read_respects_the_limit),
        IN_FOLDER(file__read_of_unknown_size),
        IN_FOLDER(file__read_errors_name_the_file),
        IN_FOLDER(reader__fills_the_room_until_the_end),
        IN_FOLDER(file__changed_while_read_is_an_error),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
