#include "live/stopped/mapwatch.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/scope.h"
#include "image/maps.h"
#include "live/proc/clock.h"
#include "live/proc/descriptor.h"
#include "live/proc/procfs.h"

PRF_DEFINE_AUTO(prf_maps, prf_maps_free);

/* So many mappings are known of a process at most: as many as the kernel lets one
 * have, unless it was told otherwise. */
enum { MOST_TOLD = 1 << 16 };

/* A mapping that the sink was told of, without its path. */
struct told {
	uint64_t addr, size, file_off, dev, inode;
	enum prf_mapping_kind kind;
};

struct prf_mapwatch {
	pid_t pid;
	bool opened;
	int maps_fd; /* works while any thread of the program lives; -1: it
		      * may not be read */
	bool can_query;
	struct told *told; /* in the order of their addresses */
	size_t n_told, room;
	int statm_fd;            /* -1: none is open */
	uint64_t rest_pages;     /* code_pages() when the rest was asked for */
	uint64_t next_rest_ns;   /* when to ask for the rest again */
	uint64_t next_change_ns; /* the same, if there is news */
	/* Without queries: the text as last read, and when to read again. */
	char *text;
	size_t text_bytes;
	uint64_t next_read_ns;
	/* The same of all that is mapped, in which memory is found. */
	char *found;
	size_t found_bytes;
	uint64_t next_find_ns;
	bool too_many; /* it is longer than any file that is read, or has more
			* than MOST_TOLD */
};

static bool
covers(const struct told *told, uint64_t addr)
{
	return addr >= told->addr && addr - told->addr < told->size;
}

/* The index of the first mapping that is not wholly below ADDR. */
static size_t
first_from(const struct prf_mapwatch *watch, uint64_t addr)
{
	size_t lo = 0, hi = watch->n_told;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		const struct told *told = &watch->told[mid];

		if (told->addr < addr && !covers(told, addr))
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static struct told *
find_told(const struct prf_mapwatch *watch, uint64_t addr)
{
	size_t i = first_from(watch, addr);

	return i < watch->n_told && covers(&watch->told[i], addr)
		       ? &watch->told[i]
		       : NULL;
}

static bool
same_mapping(const struct told *told, const struct prf_mapping *map)
{
	return told->addr == map->addr && told->size == map->size &&
	       told->file_off == map->file_off && told->dev == map->dev &&
	       told->inode == map->inode && told->kind == map->kind;
}

static bool
overlap(const struct told *told, const struct prf_mapping *map)
{
	return told->addr < map->addr ? map->addr - told->addr < told->size
				      : told->addr - map->addr < map->size;
}

static int
make_room(struct prf_mapwatch *watch)
{
	size_t room = watch->room ? watch->room * 2 : 32;
	struct told *grown;

	if (watch->n_told < watch->room)
		return 0;
	grown = reallocarray(watch->told, room, sizeof *grown);
	if (!grown)
		return -ENOMEM;
	watch->told = grown;
	watch->room = room;
	return 0;
}

/* Remembers MAP, if it is one, instead of what it overlaps. */
static int
remember(struct prf_mapwatch *watch, const struct prf_mapping *map)
{
	size_t n_new = map->kind != PRF_MAPPING_NONE;
	size_t begin = first_from(watch, map->addr), end = begin;
	int rc = make_room(watch);

	if (rc)
		return rc;
	while (end < watch->n_told && overlap(&watch->told[end], map))
		end++;
	memmove(&watch->told[begin + n_new], &watch->told[end],
		(watch->n_told - end) * sizeof *watch->told);
	watch->n_told += n_new - (end - begin);
	if (n_new)
		watch->told[begin] = (struct told){
			map->addr, map->size,  map->file_off,
			map->dev,  map->inode, map->kind,
		};
	return 0;
}

/* So many mappings were met, and some may be gone: SINK is told that all are, and
 * those that are met from now on are told anew. */
static int
tell_none(struct prf_mapwatch *watch, struct prf_sink *sink)
{
	const struct prf_mapping none = {
		.pid = watch->pid,
		.kind = PRF_MAPPING_NONE,
		.size = UINT64_C(1) << 63,
		.time_ns = prf_clock_ns(CLOCK_MONOTONIC),
		.path = "",
	};

	watch->n_told = 0;
	watch->too_many = true;
	return sink->ops->mapping(sink, &none);
}

/* Tells SINK of MAP. */
static int
tell(struct prf_mapwatch *watch, const struct prf_mapping *map,
     struct prf_sink *sink)
{
	struct prf_mapping now = *map;
	int rc = watch->n_told < MOST_TOLD ? 0 : tell_none(watch, sink);

	if (!rc)
		rc = remember(watch, map);
	if (rc)
		return rc;
	now.time_ns = prf_clock_ns(CLOCK_MONOTONIC);
	return sink->ops->mapping(sink, &now);
}

/* Nothing is mapped at ADDR: if SINK was told of a mapping there, it is told
 * that that is gone. */
static int
tell_gone(struct prf_mapwatch *watch, uint64_t addr, struct prf_sink *sink)
{
	const struct told *told = find_told(watch, addr);

	if (!told)
		return 0;
	struct prf_mapping none = {
		.pid = watch->pid,
		.kind = PRF_MAPPING_NONE,
		.addr = told->addr,
		.size = told->size,
		.path = "",
	};
	return tell(watch, &none, sink);
}

/* Tells SINK of each mapping that is gone, with no other at its address. */
static int
tell_all_gone(struct prf_mapwatch *watch, const struct prf_maps *maps,
	      struct prf_sink *sink)
{
	size_t i = 0;
	int rc = 0;

	while (!rc && i < watch->n_told) {
		uint64_t addr = watch->told[i].addr;

		if (prf_maps_at(maps, addr))
			i++;
		else
			rc = tell_gone(watch, addr, sink); /* removes it */
	}
	return rc;
}

/* Tells SINK of each mapping that it does not know as it is. */
static int
tell_maps(struct prf_mapwatch *watch, const struct prf_maps *maps,
	  struct prf_sink *sink)
{
	size_t n;
	const struct prf_mapping *all = prf_maps_all(maps, &n);
	int rc = 0;

	for (size_t i = 0; !rc && i < n; i++) {
		const struct told *told = find_told(watch, all[i].addr);

		if (!told || !same_mapping(told, &all[i]))
			rc = tell(watch, &all[i], sink);
	}
	return rc;
}

/* At most one part in fifty of the time goes into reading. */
static char *
slurp(struct prf_mapwatch *watch, size_t *bytes)
{
	uint64_t start_ns = prf_clock_ns(CLOCK_MONOTONIC);
	char *text = prf_procfs_slurp_fd(watch->maps_fd, bytes);

	watch->too_many = !text && errno == EFBIG;
	uint64_t end_ns = prf_clock_ns(CLOCK_MONOTONIC);
	watch->next_read_ns = end_ns + 50 * (end_ns - start_ns);
	return text;
}

/* Reads the maps file again; parses it only if it has changed.  1: read. */
static int
read_maps(struct prf_mapwatch *watch, struct prf_sink *sink)
{
	size_t bytes;
	char *text = slurp(watch, &bytes);

	if (!text || !bytes) {
		free(text);
		return 0;
	}
	bool same = watch->text && bytes == watch->text_bytes &&
		    !memcmp(text, watch->text, bytes);
	free(watch->text);
	watch->text = text;
	watch->text_bytes = bytes;
	if (same)
		return 1;

	PRF_AUTO(prf_maps_auto) struct prf_maps *maps = NULL;
	int rc = prf_maps_parse(text, bytes, watch->pid, &maps, NULL);
	if (!rc)
		rc = tell_all_gone(watch, maps, sink);
	if (!rc)
		rc = tell_maps(watch, maps, sink);
	/* It is not read again. */
	if (watch->can_query)
		free(PRF_TAKE(watch->text));
	return rc ? rc : 1;
}

bool
prf_mapwatch_can_query(void)
{
	PRF_AUTO(prf_auto_close)
	int maps_fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);

	return prf_procmap_is_answered(maps_fd);
}

/* TID is any thread that lives: a process whose first thread has ended shows
 * no maps under its own id. */
static void
open_maps(struct prf_mapwatch *watch, pid_t tid)
{
	char path[64];

	snprintf(path, sizeof path, "/proc/%d/maps", tid);
	watch->opened = true;
	watch->maps_fd = prf_procfs_open_path(path);
	watch->can_query = prf_procmap_is_answered(watch->maps_fd);
	watch->statm_fd = -1;
	if (!watch->can_query)
		return;
	snprintf(path, sizeof path, "/proc/%d/statm", tid);
	watch->statm_fd = open(path, O_RDONLY | O_CLOEXEC);
	if (prf_descriptor_is_one_too_many(watch->statm_fd)) {
		close(watch->statm_fd);
		watch->statm_fd = -1;
	}
}

static void
close_maps(struct prf_mapwatch *watch)
{
	if (watch->maps_fd >= 0)
		close(watch->maps_fd);
	if (watch->statm_fd >= 0)
		close(watch->statm_fd);
	watch->maps_fd = watch->statm_fd = -1;
}

int
prf_mapwatch_new(pid_t pid, struct prf_mapwatch **out, struct prf_error *err)
{
	struct prf_mapwatch *watch = calloc(1, sizeof *watch);

	if (!watch)
		return prf_error_set(err, -ENOMEM, "out of memory");
	watch->pid = pid;
	open_maps(watch, pid);
	*out = watch;
	return 0;
}

void
prf_mapwatch_reopen(struct prf_mapwatch *watch, pid_t tid)
{
	close_maps(watch);
	open_maps(watch, tid);
}

int
prf_mapwatch_copy(const struct prf_mapwatch *parent, pid_t pid,
		  struct prf_mapwatch **out)
{
	struct prf_mapwatch *watch = calloc(1, sizeof *watch);
	struct told *told = calloc(parent->n_told + 1, sizeof *told);

	if (!watch || !told) {
		free(watch);
		free(told);
		return -ENOMEM;
	}
	if (parent->n_told)
		memcpy(told, parent->told, parent->n_told * sizeof *told);
	*watch = (struct prf_mapwatch){
		.pid = pid,
		.maps_fd = -1,
		.statm_fd = -1,
		.told = told,
		.n_told = parent->n_told,
		.room = parent->n_told + 1,
	};
	*out = watch;
	return 0;
}

void
prf_mapwatch_free(struct prf_mapwatch *watch)
{
	if (!watch)
		return;
	close_maps(watch);
	free(watch->told);
	free(watch->text);
	free(watch->found);
	free(watch);
}

int
prf_mapwatch_tell_all(struct prf_mapwatch *watch, struct prf_sink *sink)
{
	int rc = read_maps(watch, sink);

	return rc < 0 ? rc : 0;
}

bool
prf_mapwatch_has_too_many(const struct prf_mapwatch *watch)
{
	return watch->too_many;
}

bool
prf_mapwatch_told(const struct prf_mapwatch *watch, uint64_t addr,
		  struct prf_procmap *map)
{
	const struct told *told = find_told(watch, addr);

	if (told)
		*map = (struct prf_procmap){
			.addr = told->addr,
			.size = told->size,
			.file_off = told->file_off,
			.dev = told->dev,
			.inode = told->inode,
		};
	return told;
}

/* Is MAP, which holds ADDR, what the sink was told? */
static bool
is_told(const struct prf_mapwatch *watch, uint64_t addr,
	const struct prf_procmap *map)
{
	const struct told *told = find_told(watch, addr);

	return told && told->addr == map->addr && told->size == map->size &&
	       told->file_off == map->file_off && told->inode == map->inode &&
	       told->dev == map->dev;
}

/* The name, which takes the kernel longer, is asked for where it is needed. */
void
prf_mapwatch_ask(struct prf_mapwatch *watch, pid_t tid, uint64_t addr,
		 struct prf_mapwatch_note *note)
{
	note->addr = addr;
	note->kind = PRF_MAPWATCH_UNASKED;
	if (!watch->opened)
		open_maps(watch, tid);
	if (!watch->can_query)
		return;
	int rc = prf_procmap_query(watch->maps_fd, addr, &note->map, NULL);
	if (!rc && is_told(watch, addr, &note->map)) {
		note->kind = PRF_MAPWATCH_SAME;
		return;
	}
	if (!rc)
		rc = prf_procmap_query(watch->maps_fd, addr, &note->map,
				       note->name);
	if (!rc)
		note->kind = PRF_MAPWATCH_OTHER;
	else if (rc == -ENOENT)
		note->kind = PRF_MAPWATCH_NOTHING;
}

/* Thousands of threads have as many stacks: what was read a moment ago tells of them,
 * too.  At most one part in fifty of the time goes into reading, but for what that
 * does not tell of. */
static int
find_by_reading(struct prf_mapwatch *watch, uint64_t addr,
		struct prf_procmap *map, char *name)
{
	enum { PART = 50 };
	uint64_t start_ns = prf_clock_ns(CLOCK_MONOTONIC);

	if (watch->found && start_ns < watch->next_find_ns &&
	    !prf_procmap_find(watch->found, watch->found_bytes, addr, map,
			      name))
		return 0;
	free(watch->found);
	watch->found = prf_procfs_slurp_fd(watch->maps_fd, &watch->found_bytes);
	if (!watch->found)
		return -errno;
	uint64_t end_ns = prf_clock_ns(CLOCK_MONOTONIC);
	watch->next_find_ns = end_ns + PART * (end_ns - start_ns);
	return prf_procmap_find(watch->found, watch->found_bytes, addr, map,
				name);
}

int
prf_mapwatch_find(struct prf_mapwatch *watch, pid_t tid, uint64_t addr,
		  struct prf_procmap *map, char *name)
{
	if (!watch->opened)
		open_maps(watch, tid);
	return watch->can_query
		       ? prf_procmap_query(watch->maps_fd, addr, map, name)
		       : find_by_reading(watch, addr, map, name);
}

static int
tell_noted(struct prf_mapwatch *watch, const struct prf_mapwatch_note *note,
	   struct prf_sink *sink)
{
	PRF_AUTO(prf_maps_auto) struct prf_maps *maps = NULL;
	int rc = prf_procmap_parse(&note->map, note->name, watch->pid, &maps);

	return rc ? rc : tell_maps(watch, maps, sink);
}

/* The kernel is asked for one after the other, for as many as may be known. */
static int
ask_for_rest(struct prf_mapwatch *watch, struct prf_sink *sink)
{
	struct prf_mapwatch_note note;
	uint64_t addr = 0;
	size_t n = 0;
	int rc = 0;

	while (!rc && n++ < MOST_TOLD &&
	       !prf_procmap_query_code(watch->maps_fd, addr, &note.map)) {
		uint64_t found = note.map.addr;

		addr = found + note.map.size;
		if (is_told(watch, found, &note.map))
			continue;
		/* If it is gone by now, it matters no more. */
		if (!prf_procmap_query(watch->maps_fd, found, &note.map,
				       note.name))
			rc = tell_noted(watch, &note, sink);
	}
	return rc;
}

/* How many pages are mapped that are not private data: code, and what is mapped with
 * it.  Memory that a program allocates, and frees, does not change it.  0: it is not
 * known. */
static uint64_t
code_pages(const struct prf_mapwatch *watch)
{
	char text[128];
	uint64_t all, data;

	if (watch->statm_fd < 0 ||
	    prf_procfs_pread(watch->statm_fd, text, sizeof text) < 0 ||
	    sscanf(text, "%" SCNu64 " %*u %*u %*u %*u %" SCNu64, &all, &data) !=
		    2)
		return 0;
	return all - data;
}

/* Is it time to ask for the rest?  After a change it soon is; where none is seen,
 * one may still have happened: a file can take the place of another. */
static bool
is_rest_due(const struct prf_mapwatch *watch, uint64_t now_ns, uint64_t pages)
{
	bool is_changed = pages == 0 || pages != watch->rest_pages;

	return now_ns >=
	       (is_changed ? watch->next_change_ns : watch->next_rest_ns);
}

int
prf_mapwatch_tell_rest(struct prf_mapwatch *watch, struct prf_sink *sink)
{
	/* At most so small a part of the time goes into this. */
	enum { PART = 1000, PART_OF_CHANGES = 20 };
	uint64_t start_ns = prf_clock_ns(CLOCK_MONOTONIC);

	/* Else the file is read, which tells of all. */
	if (!watch->can_query || start_ns < watch->next_change_ns)
		return 0;
	uint64_t pages = code_pages(watch);
	if (!is_rest_due(watch, start_ns, pages))
		return 0;
	watch->rest_pages = pages;
	/* (Of CPU time: while others have the processor nothing is spent.) */
	uint64_t cost_ns = prf_clock_ns(CLOCK_THREAD_CPUTIME_ID);
	int rc = ask_for_rest(watch, sink);
	cost_ns = prf_clock_ns(CLOCK_THREAD_CPUTIME_ID) - cost_ns;
	watch->next_change_ns = start_ns + PART_OF_CHANGES * cost_ns;
	watch->next_rest_ns = start_ns + PART * cost_ns;
	return rc;
}

/* Without queries the file is read if the PC is in no known mapping (unless that
 * is since it cannot be read) or the time for it has come. */
static int
tell_by_reading(struct prf_mapwatch *watch, uint64_t addr,
		struct prf_sink *sink, bool *verified)
{
	bool known = watch->too_many || find_told(watch, addr);

	if (known && prf_clock_ns(CLOCK_MONOTONIC) < watch->next_read_ns)
		return 0;
	int rc = read_maps(watch, sink);
	*verified = rc == 1;
	return rc < 0 ? rc : 0;
}

int
prf_mapwatch_tell(struct prf_mapwatch *watch,
		  const struct prf_mapwatch_note *note, struct prf_sink *sink,
		  bool *verified)
{
	*verified = true;
	switch (note->kind) {
	case PRF_MAPWATCH_SAME:
		return 0;
	case PRF_MAPWATCH_OTHER:
		return tell_noted(watch, note, sink);
	case PRF_MAPWATCH_NOTHING:
		return tell_gone(watch, note->addr, sink);
	case PRF_MAPWATCH_UNASKED:
		break;
	}
	*verified = false;
	return tell_by_reading(watch, note->addr, sink, verified);
}
