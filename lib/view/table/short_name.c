#include "view/table/short_name.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"

/* A name is copied from AT to TEXT, which never gets longer than what has been
 * read. */
struct copy {
	const char *at;
	char *text;
	size_t n;
	size_t start;      /* of the name proper, behind "vtable for " */
	size_t depth;      /* of angle brackets that are kept: "<T as Trait>" */
	const char *begin; /* behind the type that it returns */
	const char *last_parameters; /* NULL: it has none */
	bool in_declarator; /* in the inner parentheses of "void (*f())(int)" */
};

static bool
begins(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

static bool
is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$' ||
	       (unsigned char)c >= 0x80;
}

/* The last character that was copied; '\0': there is none of the name. */
static char
last_of(const struct copy *copy)
{
	return copy->n > copy->start ? copy->text[copy->n - 1] : '\0';
}

static void
put(struct copy *copy, size_t n)
{
	memcpy(copy->text + copy->n, copy->at, n);
	copy->n += n;
	copy->at += n;
}

/* The length of the first of TABLE, which ends with NULL, that TEXT begins
 * with; 0: with none. */
static size_t
match(const char *text, const char *const *table)
{
	for (; *table; table++)
		if (begins(text, *table))
			return strlen(*table);
	return 0;
}

/* --- Operators */

/* Of two that begin alike the longer comes first. */
static const char *const operators[] = {
	"()", "[]", "<=>", "<<=", ">>=", "->*", "<<", ">>", "<=", ">=",
	"->", "==", "!=",  "&&",  "||",  "++",  "--", "+=", "-=", "*=",
	"/=", "%=", "^=",  "&=",  "|=",  "<",   ">",  "=",  "+",  "-",
	"*",  "/",  "%",   "^",   "&",   "|",   "~",  "!",  ",",  NULL,
};

static const char word[] = "operator";

static bool
is_operator(const struct copy *copy)
{
	return begins(copy->at, word) && !is_word(last_of(copy)) &&
	       !is_word(copy->at[strlen(word)]);
}

/* --- Brackets */

/* What follows the bracket that closes the one at AT; NULL: none does.  In
 * parentheses and in braces "<" may be an operator, and no other bracket
 * counts. */
static const char *
behind(const char *at)
{
	static const char opening[] = "(<{[", closing[] = ")>}]";
	char open = *at, close = closing[strchr(opening, open) - opening];
	size_t depth = 0;

	while (at && *at) {
		if (open == '<' && begins(at, word) && !is_word(at[-1])) {
			at += strlen(word);
			at += match(at, operators);
		} else if (open == '<' && begins(at, "->")) {
			at += 2;
		} else if (open == '<' && (*at == '(' || *at == '{')) {
			at = behind(at);
		} else if (*at == open) {
			depth++;
			at++;
		} else if (*at++ == close && --depth == 0) {
			return at;
		}
	}
	return NULL;
}

static bool
skip_group(struct copy *copy)
{
	copy->at = behind(copy->at);
	return copy->at;
}

static bool
put_group(struct copy *copy)
{
	const char *end = behind(copy->at);

	if (end)
		put(copy, (size_t)(end - copy->at));
	return end;
}

/* "{lambda(int)#1}" is "{lambda#1}". */
static bool
copy_braces(struct copy *copy)
{
	const char *end = behind(copy->at);

	while (end && copy->at && copy->at < end) {
		if (*copy->at == '(' || *copy->at == '<')
			skip_group(copy);
		else
			put(copy, 1);
	}
	return end && copy->at;
}

/* Does the bracket at hand begin a part of a path, such as "<T as Trait>" or
 * "<impl T>", and not the arguments of one? */
static bool
is_part(const struct copy *copy)
{
	static const char *const parts[] = {"<impl ", "<lambda", "<unnamed",
					    NULL};
	char last = last_of(copy);

	if (last == ':')
		return match(copy->at, parts);
	return last == '\0' || (copy->depth && strchr("< &*[(,", last));
}

static bool
copy_angles(struct copy *copy)
{
	if (is_part(copy)) {
		copy->depth++;
		put(copy, 1);
		return true;
	}
	/* "f::<T>::g" */
	if (last_of(copy) == ':' && copy->n >= copy->start + 2)
		copy->n -= 2;
	return skip_group(copy);
}

static bool
end_angles(struct copy *copy)
{
	bool is_arrow = last_of(copy) == '-';

	if (!copy->depth)
		return false;
	copy->depth -= !is_arrow;
	put(copy, 1);
	return true;
}

static bool
copy_parentheses(struct copy *copy)
{
	char last = last_of(copy);

	if (begins(copy->at, "(anonymous") || last == '.')
		return put_group(copy);
	if (copy->depth && !is_word(last) && last != '>') {
		put(copy, 1); /* a tuple */
		return true;
	}
	if (last == '\0' && (copy->at[1] == '*' || copy->at[1] == '&')) {
		copy->in_declarator = true;
		copy->at += 2;
		return true;
	}
	if (last == '!') /* arguments of a template in D */
		copy->n--;
	return skip_group(copy);
}

static bool
end_parentheses(struct copy *copy)
{
	if (copy->depth) {
		put(copy, 1);
		return true;
	}
	/* What follows are the parameters of what is returned. */
	copy->at += strlen(copy->at);
	bool was_open = copy->in_declarator;
	copy->in_declarator = false;
	return was_open;
}

/* "operator", what it is, or the type that it converts to. */
static bool
copy_operator(struct copy *copy)
{
	put(copy, strlen(word));
	put(copy, match(copy->at, operators));
	if (begins(copy->at, " <"))
		copy->at++;
	if (*copy->at != ' ' && *copy->at != '"')
		return true;
	while (*copy->at) {
		bool is_pointer = begins(copy->at, "(*") ||
				  begins(copy->at, "(&") ||
				  begins(copy->at, "(anonymous");

		if (*copy->at == '(' && !is_pointer)
			return true;
		if (*copy->at == '<' ? !skip_group(copy)
				     : *copy->at == '(' && !put_group(copy))
			return false;
		if (*copy->at && *copy->at != '<' && *copy->at != '(')
			put(copy, 1);
	}
	return true;
}

/* --- Blanks */

static bool
copy_clone(struct copy *copy, size_t n)
{
	copy->at += n;
	const char *end = strchr(copy->at, ']');

	if (!end)
		return false;
	put(copy, (size_t)(end - copy->at));
	copy->at++;
	return true;
}

/* What stands behind the parameters, or between a type and a name. */
static bool
copy_blank(struct copy *copy)
{
	static const char *const qualifiers[] = {
		" const",    " volatile", " &&", " &",
		" restrict", " noexcept", NULL};
	static const char *const clone[] = {" [clone ", NULL};
	size_t n_clone = match(copy->at, clone);
	size_t n = match(copy->at, qualifiers);

	if (copy->depth) {
		put(copy, 1);
	} else if (n_clone) {
		return copy_clone(copy, n_clone);
	} else if (n && !is_word(copy->at[n])) {
		copy->at += n;
	} else if (copy->at < copy->last_parameters) {
		copy->n = copy->start; /* that was the type it returns */
		copy->begin = ++copy->at;
	} else {
		put(copy, 1);
	}
	return true;
}

/* --- All of it */

static const char *const kinds[] = {
	"vtable for ",
	"VTT for ",
	"typeinfo for ",
	"typeinfo name for ",
	"construction vtable for ",
	"guard variable for ",
	"virtual thunk to ",
	"non-virtual thunk to ",
	"covariant return thunk to ",
	"TLS init function for ",
	"TLS wrapper function for ",
	NULL,
};

static const struct {
	char first;
	bool (*copy)(struct copy *copy);
} parts[] = {
	{'<', copy_angles},     {'>', end_angles},  {'(', copy_parentheses},
	{')', end_parentheses}, {'{', copy_braces}, {' ', copy_blank},
};

static bool
copy_part(struct copy *copy)
{
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		if (*copy->at == parts[i].first)
			return parts[i].copy(copy);
	if (!copy->depth && is_operator(copy))
		return copy_operator(copy);
	if (!copy->depth && *copy->at == '[')
		return put_group(copy);
	put(copy, 1);
	return true;
}

/* Reads NAME to TEXT, which has room for it. */
static bool
copy_name(struct copy *copy, const char *name, char *text)
{
	bool is_read = true;

	*copy = (struct copy){
		.at = name,
		.text = text,
		.begin = name,
		.last_parameters = strrchr(name, '('),
	};
	put(copy, match(name, kinds));
	copy->start = copy->n;
	while (is_read && *copy->at)
		is_read = copy_part(copy);
	if (!is_read || copy->depth || copy->in_declarator ||
	    copy->n == copy->start)
		return false;
	text[copy->n] = '\0';
	return true;
}

char *
prf_short_name(const char *name)
{
	PRF_AUTO(prf_auto_free) char *text = malloc(strlen(name) + 1);
	struct copy copy;

	if (!text)
		return NULL;
	return copy_name(&copy, name, text) ? PRF_TAKE(text) : strdup(name);
}

size_t
prf_short_name_begin(const char *name)
{
	PRF_AUTO(prf_auto_free) char *text = malloc(strlen(name) + 1);
	struct copy copy;

	return text && copy_name(&copy, name, text)
		       ? (size_t)(copy.begin - name)
		       : 0;
}
