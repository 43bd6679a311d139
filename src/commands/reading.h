/* reading.h - what the commands that read files have in common: their words,
 * and how they fail. */
#ifndef PRF_SRC_COMMANDS_READING_H
#define PRF_SRC_COMMANDS_READING_H

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/attr.h"
#include "core/error.h"
#include "src/commands/figures.h"
#include "src/commands/matching.h"
#include "src/message.h"
#include "space/objectfile.h"

/* What a user wants of a trace. */
struct prf_wanted {
	uint64_t from_ns, to_ns; /* since the begin; to_ns 0: to the end */
	pid_t pid, tid;          /* 0: any */
	const char *symfs;       /* stands for the root; NULL: it does itself */
};

/* Files at PATH that are no traces, but a KIND ("gmon.out", "pprof file"), have no
 * samples to choose from.  -EINVAL, and ERR says of what they do not tell: WANTED
 * is a part. */
int prf_wanted_check_whole(const struct prf_wanted *wanted, const char *path,
			   const char *kind,
			   struct prf_error *err) PRF_MUST_CHECK;

/* A command under way; what it was told. */
struct prf_reading {
	struct prf_wanted wanted;
	bool help;
	struct prf_messages messages;
	struct prf_figures *figures; /* to be filled; NULL: nobody asks */
	/* Why a parser refuses a word; argp itself has no room for that. */
	struct prf_error why;
};

enum {
	PRF_READING_KEY_TIME = 512,
	PRF_READING_KEY_PID,
	PRF_READING_KEY_TID,
	PRF_READING_KEY_SYMFS,
	PRF_READING_KEY_FOCUS,
	PRF_READING_KEY_IGNORE,
};

#define PRF_OPTION(long_name, letter, value, text)                             \
	{                                                                      \
		.name = (long_name), .key = (letter), .arg = (value),          \
		.doc = (text)                                                  \
	}

/* Rows of a table of options: which samples; and what ends every table. */
#define PRF_READING_OPTIONS_SELECTION                                          \
	PRF_OPTION("time", PRF_READING_KEY_TIME, "FROM-TO",                    \
		   "Only samples of that time, in seconds since the start"),   \
		PRF_OPTION("pid", PRF_READING_KEY_PID, "PID",                  \
			   "Only samples of a process"),                       \
		PRF_OPTION("tid", PRF_READING_KEY_TID, "TID",                  \
			   "Only samples of a thread")
#define PRF_READING_OPTIONS_MATCH(what)                                        \
	PRF_OPTION("focus", PRF_READING_KEY_FOCUS, "REGEX",                    \
		   "Only " what " whose function, binary or other name "       \
		   "matches"),                                                 \
		PRF_OPTION("ignore", PRF_READING_KEY_IGNORE, "REGEX",          \
			   "No " what " that match")
#define PRF_READING_OPTIONS_END                                                \
	PRF_OPTION("symfs", PRF_READING_KEY_SYMFS, "DIR",                      \
		   "Search for the program's files below DIR"),                \
		PRF_OPTION("quiet", 'q', NULL,                                 \
			   "Print no notes and warnings, "                     \
			   "only the result and errors"),                      \
		PRF_OPTION("help", 'h', NULL, "Print this help"),              \
	{                                                                      \
		0                                                              \
	}

/* For a parser's default: takes KEY if it is of one of the rows above. */
error_t prf_reading_take(struct prf_reading *reading, int key, const char *arg);
/* A parser's own refusal, as argp wants it: EINVAL.  WHY is to name what it is
 * about; the command is put before it. */
error_t prf_reading_refuse(struct prf_reading *reading, const char *fmt, ...)
	PRF_PRINTF(2, 3);

/* Takes --focus or --ignore, if KEY is one of these, for MATCHING. */
error_t prf_reading_take_match(struct prf_reading *reading, int key,
			       const char *arg, struct prf_matching *matching);

/* Parses WORDS, the command's name the first and NULL at the end, with INPUT
 * for PARSER; that must have a struct prf_reading as its first member.  -EINVAL:
 * a word is none, and ERR says which, with the command's name; it is empty
 * where getopt_long(3) has said so on stderr. */
int prf_reading_parse(const struct argp *parser, char **words, void *input,
		      struct prf_error *err) PRF_MUST_CHECK;
/* The same, for a command to which the order of options and other words
 * matters. */
int prf_reading_parse_in_order(const struct argp *parser, char **words,
			       void *input,
			       struct prf_error *err) PRF_MUST_CHECK;
/* Prints what there is to know of command NAME; the exit status. */
int prf_reading_help(const struct argp *parser, const char *name,
		     const struct prf_messages *messages);

/* How files are found for WANTED, which must outlive it. */
struct prf_objectfile_way prf_wanted_way(const struct prf_wanted *wanted);

/* Says ERR, unless that is empty, and returns STATUS; where memory is short,
 * PRF_EXIT_FAILED. */
int prf_reading_fail(const struct prf_reading *reading, int status,
		     const struct prf_error *err);

#endif
