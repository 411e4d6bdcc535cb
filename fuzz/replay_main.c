/*
 * replay_main.c -- run a fuzz target on files: every file of every folder given, or single files.
 *
 * Finding nothing to run is an error, so that a corpus cannot go missing unnoticed.
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static size_t n_replayed;

static void replay_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    uint8_t *bytes = NULL;
    size_t size = 0, room = 0;

    while (file && !feof(file) && !ferror(file)) {
        room = 2 * room + 4096;
        bytes = realloc(bytes, room);
        if (!bytes)
            abort();
        size += fread(bytes + size, 1, room - size, file);
    }
    if (!file || ferror(file)) {
        fprintf(stderr, "cannot read %s\n", path);
        exit(1);
    }
    fclose(file);
    fprintf(stderr, "%s\n", path);
    LLVMFuzzerTestOneInput(bytes, size);
    free(bytes);
    n_replayed++;
}

static void replay(const char *path)
{
    DIR *folder = opendir(path);
    const struct dirent *entry;
    char file[4096];

    if (!folder) {
        replay_file(path);
        return;
    }
    while ((entry = readdir(folder))) {
        if (entry->d_name[0] == '.')
            continue;
        snprintf(file, sizeof(file), "%s/%s", path, entry->d_name);
        replay_file(file);
    }
    closedir(folder);
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        replay(argv[i]);
    printf("%zu files\n", n_replayed);
    return n_replayed > 0 ? 0 : 1;
}
