/* made.h - files and events that are made up, for a profile or an object. */
#ifndef PRF_TESTS_VIEW_MADE_H
#define PRF_TESTS_VIEW_MADE_H

#include <stddef.h>
#include <stdint.h>

#include "support/elf_builder.h"
#include "view/profile.h"
#include "view/totals.h"

/* Where the text of a made file begins: as linked and in the file. */
#define MADE_TEXT 0x1000

/* A directory of the test's own; a fixture of every test that makes files. */
void made_begin(void);
void made_end(void);
/* The path of NAME in it; static, good for the next 8 calls. */
const char *made_path(const char *name);

/* Writes the ELF file NAME with 0x1000 bytes of text and N symbols in it. */
void made_elf(const char *name, const struct elf_symbol *symbols, size_t n);
/* The same, of another class or byte order. */
void made_elf_kind(const char *name, const struct elf_kind *kind,
		   const struct elf_symbol *symbols, size_t n);

/* The files of all profiles that are made; gone with made_end(). */
struct prf_files *made_files(void);
/* What was amiss in them so far. */
const struct prf_warnings *made_warnings(void);

/* That file's text, mapped at ADDR; static path as above. */
struct prf_mapping made_mapping(const char *name, uint64_t addr);

/* A place that MAP is at, of a file that is the caller's to drop (NULL: MAP has
 * none). */
struct prf_place made_place(const struct prf_mapping *map);
/* That file, read and mapped somewhere. */
struct prf_object *made_mapped_object(const char *name);

/* A profile of a process that has nothing mapped; the events below are this
 * process's until the next one is made. */
struct prf_profile *made_profile(const struct prf_profile_config *config);
void made_exec(struct prf_profile *profile, const char *name);
/* As the event says; before there is a tick. */
void made_exec_as(struct prf_profile *profile, const struct prf_exec *exec);
void made_map(struct prf_profile *profile, const char *name, uint64_t addr);
void made_map_as(struct prf_profile *profile, const struct prf_mapping *map);
void made_map_kind(struct prf_profile *profile, enum prf_mapping_kind kind,
		   uint64_t addr, uint64_t size);
void made_ticks(struct prf_profile *profile, uint64_t addr, uint32_t ticks);
void made_sample(struct prf_profile *profile, const struct prf_sample *sample);
/* The same in system call NUMBER. */
void made_call(struct prf_profile *profile, uint64_t addr, int32_t number,
	       uint32_t ticks);
void made_finish(struct prf_profile *profile);
void made_free(struct prf_profile *profile);

/* The functions of PROFILE; to be cleared. */
struct prf_totals made_totals(const struct prf_profile *profile);
/* The ticks of all functions with this name in objects with that one. */
uint64_t made_ticks_of(const struct prf_profile *profile, const char *object,
		       const char *function);
const struct prf_object *made_object(const struct prf_profile *profile,
				     const char *name);
/* Fails the test unless the sums of all kinds agree with TICKS. */
void made_check_sums(const struct prf_profile *profile, uint64_t ticks);
/* The same for one object: its functions, its points, where these lie. */
void made_check_object(const struct prf_object *object);

#endif
