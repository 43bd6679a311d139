#include "view/table/distinct_names.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"
#include "image/demangle.h"
#include "view/table/name_columns.h"
#include "view/table/plain.h"
#include "view/table/short_name.h"

/* Less than is left of the end of a name that is cut, in 80 columns. */
enum { PIECES_MAX = 14, WHOLE_PIECES_MAX = 60 };

static const char between[] = "..";

/* Words with their qualifiers, such as "unsigned long" and "std::less", or one
 * other character. */
struct token {
	const char *begin;
	size_t length;
};

struct tokens {
	struct prf_distinct_name *name;
	struct token *all;
	size_t n;
	size_t common; /* with those of the name before */
	/* The nearest names before it and behind it that have fewer in common
	 * with the one before them than it has; 0 and the number of all: none. */
	size_t less_before, less_behind;
};

/* --- Tokens */

static bool
is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$' || c == ':' ||
	       (unsigned char)c >= 0x80;
}

static size_t
token_length(const char *at)
{
	size_t n = 0;

	while (is_word(at[n]) || (n && at[n] == ' ' && is_word(at[n + 1])))
		n++;
	return n ? n : 1;
}

/* -ENOMEM. */
static int
take_tokens(struct tokens *tokens, const char *text)
{
	tokens->all = calloc(strlen(text) + 1, sizeof *tokens->all);
	if (!tokens->all)
		return -ENOMEM;
	while (*text) {
		size_t n = token_length(text);

		if (*text != ' ')
			tokens->all[tokens->n++] = (struct token){text, n};
		text += n;
	}
	return 0;
}

static int
compare_tokens(const struct token *left, const struct token *right)
{
	size_t n = left->length < right->length ? left->length : right->length;
	int rc = memcmp(left->begin, right->begin, n);

	return rc ? rc
		  : (left->length > right->length) -
			       (left->length < right->length);
}

static size_t
n_common(const struct tokens *left, const struct tokens *right)
{
	size_t n = 0;

	while (n < left->n && n < right->n &&
	       compare_tokens(&left->all[n], &right->all[n]) == 0)
		n++;
	return n;
}

static int
by_tokens(const void *a, const void *b)
{
	const struct tokens *left = a, *right = b;
	size_t n = n_common(left, right);

	if (n < left->n && n < right->n)
		return compare_tokens(&left->all[n], &right->all[n]);
	return (left->n > right->n) - (left->n < right->n);
}

/* --- Pieces */

/* Without qualifiers, if BRIEF. */
static struct token
last_part(struct token token, bool brief)
{
	for (size_t i = token.length - 1; brief && i > 1; i--)
		if (token.begin[i - 1] == ':' && is_word(token.begin[i]) &&
		    token.begin[i] != ':')
			return (struct token){token.begin + i,
					      token.length - i};
	return token;
}

/* What is shown of the token AT: itself, or, where it is no word, it with the one
 * that it belongs to. */
static struct token
piece_at(const struct tokens *tokens, size_t at, bool brief)
{
	struct token piece = last_part(tokens->all[at], brief);
	bool is_open = strchr(",<(", *piece.begin);
	size_t other = is_open ? at + 1 : at - 1;

	if (is_word(*piece.begin) || other >= tokens->n)
		return piece;
	struct token with = tokens->all[other];
	if (is_open)
		piece.length = (size_t)(with.begin + with.length - piece.begin);
	else {
		with = last_part(with, brief);
		piece.length =
			(size_t)(piece.begin + piece.length - with.begin);
		piece.begin = with.begin;
	}
	return piece;
}

/* Of N names, which have what is COMMON. */
static void
link_less(struct tokens *all, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		size_t j = i - 1;

		while (j > 0 && all[j].common >= all[i].common)
			j = all[j].less_before;
		all[i].less_before = j;
	}
	for (size_t i = n; i-- > 1;) {
		size_t j = i + 1;

		while (j < n && all[j].common >= all[i].common)
			j = all[j].less_behind;
		all[i].less_behind = j;
	}
}

/* Marks where the tokens of ALL[I] and those of others part: they have in common
 * what is the least of what is common to all between them. */
static void
mark_partings(const struct tokens *all, size_t n, size_t i, bool *parts)
{
	for (size_t j = i; j > 0; j = all[j].less_before)
		parts[all[j].common] = true;
	for (size_t j = i + 1; j < n; j = all[j].less_behind)
		parts[all[j].common] = true;
	/* The other goes on where this one ends. */
	bool has_parts = memchr(parts, true, all[i].n);
	if (!has_parts && all[i].n)
		parts[all[i].n - 1] = true;
}

/* "PIECE..PIECE"; NULL: out of memory. */
static char *
pieces_of(const struct tokens *all, size_t n, size_t i, bool brief)
{
	PRF_AUTO(prf_auto_free) bool *parts = calloc(all[i].n + 1, 1);
	char *text = NULL;
	size_t size;
	FILE *out = parts ? open_memstream(&text, &size) : NULL;
	const char *before = "";

	if (!out)
		return NULL;
	mark_partings(all, n, i, parts);
	for (size_t at = 0; at < all[i].n; at++) {
		if (!parts[at])
			continue;
		struct token piece = piece_at(&all[i], at, brief);
		fprintf(out, "%s%.*s", before, (int)piece.length, piece.begin);
		before = between;
	}
	if (fclose(out) == 0)
		return text;
	free(text);
	return NULL;
}

static int
by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* -ENOMEM; 1: two of them are the same. */
static int
has_equals(char *const *texts, size_t n)
{
	PRF_AUTO(prf_auto_free) char **sorted = calloc(n, sizeof *sorted);
	int rc = sorted ? 0 : -ENOMEM;

	if (rc)
		return rc;
	memcpy(sorted, texts, n * sizeof *sorted);
	qsort(sorted, n, sizeof *sorted, by_text);
	for (size_t i = 1; rc == 0 && i < n; i++)
		rc = strcmp(sorted[i - 1], sorted[i]) == 0;
	return rc;
}

static void
free_texts(char **texts, size_t n)
{
	for (size_t i = 0; texts && i < n; i++)
		free(texts[i]);
	free(texts);
}

/* TEXT in brackets behind what is shown; as it is if it says nothing. */
static int
append(struct prf_distinct_name *name, const char *text,
       const struct prf_style *style)
{
	size_t max = style->width ? PIECES_MAX : WHOLE_PIECES_MAX;
	PRF_AUTO(prf_auto_free) char *cut = NULL;
	size_t size;
	char *shown;

	if (!*text)
		return 0;
	FILE *out = open_memstream(&cut, &size);
	if (!out)
		return -ENOMEM;
	prf_plain_print_cut(text, max, out);
	if (fclose(out) != 0 ||
	    asprintf(&shown, "%s [%s]", name->shown, cut) < 0)
		return -ENOMEM;
	free(name->shown);
	name->shown = shown;
	return 0;
}

/* ALL are sorted. */
static int
append_pieces(struct tokens *all, size_t n, const struct prf_style *style)
{
	char **texts = NULL;
	bool brief = true;
	int rc = 1;

	for (size_t i = 1; i < n; i++)
		all[i].common = n_common(&all[i - 1], &all[i]);
	link_less(all, n);
	while (rc == 1) {
		texts = calloc(n, sizeof *texts);
		rc = texts ? 0 : -ENOMEM;
		for (size_t i = 0; rc == 0 && i < n; i++) {
			texts[i] = pieces_of(all, n, i, brief);
			rc = texts[i] ? 0 : -ENOMEM;
		}
		if (rc == 0 && brief)
			rc = has_equals(texts, n);
		if (rc == 1)
			free_texts(texts, n);
		brief = false;
	}
	for (size_t i = 0; rc == 0 && i < n; i++)
		rc = append(all[i].name, texts[i], style);
	free_texts(texts, n);
	return rc;
}

/* --- All of it */

/* Those of which no two have the same whole name.  BEGIN: the names without the
 * types that they return. */
static int
tell_by(struct prf_distinct_name **names, size_t n,
	const struct prf_style *style, size_t (*begin)(const char *name))
{
	PRF_AUTO(prf_auto_free) struct tokens *all = calloc(n, sizeof *all);
	int rc = all ? 0 : -ENOMEM;

	for (size_t i = 0; rc == 0 && i < n; i++) {
		const char *whole = names[i]->whole;

		all[i].name = names[i];
		rc = take_tokens(&all[i], whole + (begin ? begin(whole) : 0));
	}
	if (rc == 0) {
		qsort(all, n, sizeof *all, by_tokens);
		for (size_t i = 1; rc == 0 && i < n; i++)
			rc = by_tokens(&all[i - 1], &all[i]) == 0;
	}
	/* 1: some differ in what they return alone. */
	if (rc == 0 || (rc == 1 && !begin))
		rc = append_pieces(all, n, style);
	for (size_t i = 0; all && i < n; i++)
		free(all[i].all);
	return rc;
}

static int
by_shown(const void *a, const void *b)
{
	const struct prf_distinct_name *left =
		*(struct prf_distinct_name *const *)a;
	const struct prf_distinct_name *right =
		*(struct prf_distinct_name *const *)b;
	int rc = strcmp(left->shown, right->shown);

	return rc ? rc : strcmp(left->binary, right->binary);
}

static int
by_shown_and_whole(const void *a, const void *b)
{
	const struct prf_distinct_name *left =
		*(struct prf_distinct_name *const *)a;
	const struct prf_distinct_name *right =
		*(struct prf_distinct_name *const *)b;
	int rc = by_shown(a, b);

	return rc ? rc : strcmp(left->whole, right->whole);
}

static int
show_as(struct prf_distinct_name *name, const struct prf_distinct_name *other)
{
	char *shown = strdup(other->shown);

	if (!shown)
		return -ENOMEM;
	free(name->shown);
	name->shown = shown;
	return 0;
}

/* Those that are shown as the same, sorted; equals stay so. */
static int
tell_apart(struct prf_distinct_name **names, size_t n,
	   const struct prf_style *style)
{
	if (n < 2)
		return 0;
	PRF_AUTO(prf_auto_free)
	struct prf_distinct_name **firsts = calloc(n, sizeof *firsts);
	size_t n_firsts = 0;

	if (!firsts)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		if (!i || strcmp(names[i - 1]->whole, names[i]->whole) != 0)
			firsts[n_firsts++] = names[i];
	if (n_firsts < 2)
		return 0;
	int rc = tell_by(firsts, n_firsts, style, prf_short_name_begin);
	if (rc == 1)
		rc = tell_by(firsts, n_firsts, style, NULL);
	for (size_t i = 1; rc == 0 && i < n; i++)
		if (strcmp(names[i - 1]->whole, names[i]->whole) == 0)
			rc = show_as(names[i], names[i - 1]);
	return rc;
}

int
prf_distinct_name_begin(struct prf_distinct_name *distinct, const char *name,
			bool inlined, const char *binary,
			const struct prf_style *style)
{
	*distinct = (struct prf_distinct_name){
		.whole = prf_demangle(name),
		.binary = binary,
		.shown = (inlined ? prf_name_columns_inlined
				  : prf_name_columns_name)(name, style),
	};
	return distinct->whole && distinct->shown ? 0 : -ENOMEM;
}

/* Are all shown as what they are?  Then those that are shown as the same are. */
static bool
are_whole(const struct prf_distinct_name *names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(names[i].shown, names[i].whole) != 0)
			return false;
	return true;
}

int
prf_distinct_names_make(struct prf_distinct_name *names, size_t n,
			const struct prf_style *style)
{
	if (are_whole(names, n))
		return 0;
	PRF_AUTO(prf_auto_free)
	struct prf_distinct_name **sorted = calloc(n + 1, sizeof *sorted);
	int rc = sorted ? 0 : -ENOMEM;

	for (size_t i = 0; rc == 0 && i < n; i++)
		sorted[i] = &names[i];
	if (rc == 0)
		qsort(sorted, n, sizeof *sorted, by_shown_and_whole);
	for (size_t at = 0, end; rc == 0 && at < n; at = end) {
		for (end = at + 1; end < n; end++)
			if (by_shown(&sorted[at], &sorted[end]) != 0)
				break;
		rc = tell_apart(sorted + at, end - at, style);
	}
	return rc;
}

void
prf_distinct_name_clear(struct prf_distinct_name *distinct)
{
	free(distinct->whole);
	free(distinct->shown);
}

void
prf_distinct_names_free(struct prf_distinct_name *names, size_t n)
{
	for (size_t i = 0; names && i < n; i++)
		prf_distinct_name_clear(&names[i]);
	free(names);
}

/* What stands in the brackets of NAME, "SHOWN [PIECES]"; empty: nothing. */
static struct token
pieces_in(const char *name, const char *shown)
{
	size_t n = strlen(shown), length = strlen(name);
	bool has = length > n + strlen(" []") && strncmp(name, shown, n) == 0 &&
		   strncmp(name + n, " [", 2) == 0 && name[length - 1] == ']';

	return has ? (struct token){name + n + 2, length - n - 3}
		   : (struct token){name, 0};
}

/* Takes the first piece of *PIECES; *IS_CUT: it was longer. */
static struct token
take_piece(struct token *pieces, bool *is_cut)
{
	struct token piece = *pieces;
	size_t n_dots = 0;

	piece.length = 0;
	while (piece.length < pieces->length &&
	       strncmp(piece.begin + piece.length, between, 2) != 0)
		piece.length++;
	while (piece.length + n_dots < pieces->length &&
	       piece.begin[piece.length + n_dots] == '.')
		n_dots++;
	*is_cut = n_dots > strlen(between);
	pieces->begin += piece.length + n_dots;
	pieces->length -= piece.length + n_dots;
	return piece;
}

static bool
is_piece(const struct tokens *tokens, size_t at, struct token piece,
	 bool is_cut)
{
	for (int brief = 0; brief < 2; brief++) {
		struct token is = piece_at(tokens, at, brief);

		if (is_cut && is.length > piece.length)
			is.length = piece.length;
		if (compare_tokens(&is, &piece) == 0)
			return true;
	}
	return false;
}

bool
prf_distinct_names_match(const char *name, const char *whole, const char *shown)
{
	struct token pieces = pieces_in(name, shown);
	struct tokens tokens = {0};
	size_t at = 0;

	if (!pieces.length || take_tokens(&tokens, whole) != 0)
		return false;
	while (pieces.length > 0 && at <= tokens.n) {
		bool is_cut;
		struct token piece = take_piece(&pieces, &is_cut);

		while (at < tokens.n && !is_piece(&tokens, at, piece, is_cut))
			at++;
		at++;
	}
	free(tokens.all);
	return at <= tokens.n;
}
