#include "view/table/command_line.h"

#include <stdbool.h>
#include <string.h>

#include "view/table/plain.h"

/* Words that are looked at; those behind them are left out. */
enum { MAX_WORDS = 64 };

/* What is kept first. */
enum rank { PROGRAM, FILE_NAME, OTHER, N_RANKS };

struct word {
	const char *at;
	size_t n_bytes; /* and so many characters at most */
	enum rank rank;
	bool kept;
};

struct words {
	struct word all[MAX_WORDS];
	size_t n;
};

static bool
is_repeated(const struct words *words, const struct word *word)
{
	for (size_t i = 0; i < words->n; i++)
		if (words->all[i].n_bytes == word->n_bytes &&
		    memcmp(words->all[i].at, word->at, word->n_bytes) == 0)
			return true;
	return false;
}

/* "x.c", and not "-std=c11", ".c" or "/tmp/ccw3AvA6.s". */
static bool
is_file_name(const struct word *word)
{
	return !strchr("-./", *word->at) &&
	       memchr(word->at, '.', word->n_bytes);
}

static enum rank
rank_of(const struct words *words, const struct word *word)
{
	if (!words->n)
		return PROGRAM;
	return is_file_name(word) && !is_repeated(words, word) ? FILE_NAME
							       : OTHER;
}

static void
split(struct words *words, const char *command)
{
	for (command += strspn(command, " "); *command && words->n < MAX_WORDS;
	     command += strspn(command, " ")) {
		struct word word = {.at = command};

		word.n_bytes = strcspn(command, " ");
		word.rank = rank_of(words, &word);
		command += word.n_bytes;
		words->all[words->n++] = word;
	}
}

/* Keeps the words of RANK, from the first on, that have room in WIDTH, of which
 * so much is USED. */
static size_t
keep(struct words *words, enum rank rank, size_t width, size_t used)
{
	for (size_t i = 0; i < words->n; i++) {
		struct word *word = &words->all[i];

		if (word->rank != rank)
			continue;
		if (used + word->n_bytes + 1 > width)
			break;
		word->kept = true;
		used += word->n_bytes + 1;
	}
	return used;
}

void
prf_command_line_print(const char *command, size_t width, FILE *out)
{
	static const char dots[] = "...";
	struct words words = {.n = 0};
	size_t used = 0;

	if (prf_plain_width(command) <= width) {
		prf_plain_print(command, out);
		return;
	}
	split(&words, command);
	for (int rank = PROGRAM; rank < N_RANKS; rank++)
		used = keep(&words, (enum rank)rank, width - strlen(dots),
			    used);
	if (!words.n || !words.all[0].kept) {
		prf_plain_print_cut(command, width, out);
		return;
	}
	for (size_t i = 0; i < words.n; i++)
		if (words.all[i].kept) {
			prf_plain_print_bytes(words.all[i].at,
					      words.all[i].n_bytes, out);
			fputc(' ', out);
		}
	fputs(dots, out);
}
