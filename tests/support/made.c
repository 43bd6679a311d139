#include "support/made.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "space/files.h"

enum { TEXT_BYTES = 0x1000, N_PATHS = 8 };

static char directory[] = "/tmp/test_made.XXXXXX";

static struct prf_files *files;

struct prf_files *
made_files(void)
{
	if (!files)
		files = prf_files_new(NULL);
	ck_assert_ptr_nonnull(files);
	return files;
}

void
made_begin(void)
{
	strcpy(directory + strlen(directory) - 6, "XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(directory));
}

void
made_end(void)
{
	char command[64];

	prf_files_free(files);
	files = NULL;
	snprintf(command, sizeof command, "rm -rf '%s'", directory);
	ck_assert_int_eq(system(command), 0);
}

const char *
made_path(const char *name)
{
	static char paths[N_PATHS][512];
	static size_t next;
	char *path = paths[next++ % N_PATHS];

	snprintf(path, sizeof *paths, "%s/%s", directory, name);
	return path;
}

void
made_elf_kind(const char *name, const struct elf_kind *kind,
	      const struct elf_symbol *symbols, size_t n)
{
	size_t size;
	char *bytes = elf_build_simple(kind, TEXT_BYTES, symbols, n, &size);

	elf_write(made_path(name), bytes, size);
	free(bytes);
}

void
made_elf(const char *name, const struct elf_symbol *symbols, size_t n)
{
	made_elf_kind(name, &elf_kinds[0], symbols, n);
}

struct prf_mapping
made_mapping(const char *name, uint64_t addr)
{
	struct stat file;
	const char *path = made_path(name);

	ck_assert_int_eq(stat(path, &file), 0);
	return (struct prf_mapping){
		.pid = getpid(),
		.kind = PRF_MAPPING_FILE,
		.addr = addr,
		.size = TEXT_BYTES,
		.file_off = MADE_TEXT,
		.dev = file.st_dev,
		.inode = file.st_ino,
		.path = path,
	};
}

struct prf_file *
made_file(const char *name)
{
	const struct prf_mapping map = made_mapping(name, 0x7f0000001000);
	struct prf_file *file =
		prf_files_take(made_files(), &map, sizeof(void *));
	struct prf_error warning;

	ck_assert_ptr_nonnull(file);
	prf_files_read(file, &map, &warning);
	return file;
}
