#include "core/pctrace.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/byteorder.h"
#include "core/pctrace/pctrace_info.h"
#include "core/pctrace/pctrace_writer.h"
#include "core/pctrace/varint.h"

/* --- Records other than samples */

/* A record that is being made: its body, before its length is known. */
struct record {
	struct prf_pctrace_writer *writer;
	uint8_t *body, *at;
};

/* Type and length. */
enum { HEAD_BYTES = 1 + PRF_VARINT_MAX_BYTES };
/* Enough for the fixed part of any record. */
enum { FIXED_BYTES = HEAD_BYTES + 16 * PRF_VARINT_MAX_BYTES };

static size_t
string_bytes(const char *string)
{
	return strnlen(string, PRF_PCTRACE_MAX_STRING_BYTES);
}

static int
record_begin(struct prf_pctrace_writer *writer, uint64_t time_ns,
	     size_t n_variable, struct record *record)
{
	int rc = prf_pctrace_writer_room(writer, time_ns,
					 FIXED_BYTES + n_variable);

	record->writer = writer;
	record->body = writer->payload + writer->n_bytes + HEAD_BYTES;
	record->at = record->body;
	return rc;
}

static void
record_number(struct record *record, uint64_t number)
{
	record->at = prf_varint_put(record->at, number);
}

static void
record_time(struct record *record, uint64_t time_ns)
{
	struct prf_pctrace_state *state = &record->writer->state;

	record_number(record, prf_varint_fold(time_ns - state->time_ns));
	state->time_ns = time_ns;
}

static void
record_bytes(struct record *record, const void *bytes, size_t n_bytes)
{
	record_number(record, n_bytes);
	if (n_bytes)
		memcpy(record->at, bytes, n_bytes);
	record->at += n_bytes;
}

static void
record_string(struct record *record, const char *string)
{
	record_bytes(record, string, string_bytes(string));
}

static void
record_end(struct record *record, enum prf_pctrace_type type)
{
	struct prf_pctrace_writer *writer = record->writer;
	size_t n_bytes = (size_t)(record->at - record->body);
	uint8_t *at = writer->payload + writer->n_bytes;

	*at++ = (uint8_t)type;
	at = prf_varint_put(at, n_bytes);
	memmove(at, record->body, n_bytes);
	writer->n_bytes = (size_t)(at + n_bytes - writer->payload);
	writer->events += !writer->tells_again && type != PRF_PCTRACE_INFO &&
			  type != PRF_PCTRACE_END;
}

/* The next block repeats it. */
static void
keep(struct prf_pctrace_writer *writer, enum prf_event_kind kind,
     const void *what)
{
	if (!writer->tells_again)
		prf_pctrace_past_add(&writer->past, kind, what);
}

static int
write_exec(struct prf_sink *sink, const struct prf_exec *exec)
{
	struct prf_pctrace_writer *writer = (struct prf_pctrace_writer *)sink;
	struct record record;
	int rc;

	/* What the reader takes for damage. */
	if ((exec->addr_bytes != 4 && exec->addr_bytes != 8) ||
	    exec->rank == INT32_MAX)
		return -EINVAL;
	rc = record_begin(writer, exec->time_ns,
			  string_bytes(exec->path) +
				  string_bytes(exec->command),
			  &record);
	if (rc)
		return rc;
	record_number(&record, (uint32_t)exec->pid);
	record_time(&record, exec->time_ns);
	record_number(&record, exec->cpu_ns);
	record_number(&record, exec->dev);
	record_number(&record, exec->inode);
	record_number(&record, exec->addr_bytes);
	record_string(&record, exec->path);
	record_string(&record, exec->command);
	record_number(&record, exec->machine);
	record_number(&record, exec->rank < 0 ? 0 : (uint32_t)exec->rank + 1);
	record_end(&record, PRF_PCTRACE_EXEC);
	keep(writer, PRF_EVENT_EXEC, exec);
	return 0;
}

static int
write_mapping(struct prf_sink *sink, const struct prf_mapping *map)
{
	struct prf_pctrace_writer *writer = (struct prf_pctrace_writer *)sink;
	struct record record;
	int rc;

	if (map->size == 0 || map->addr > UINT64_MAX - (map->size - 1) ||
	    map->kind > PRF_MAPPING_NONE)
		return -EINVAL;
	rc = record_begin(writer, map->time_ns,
			  string_bytes(map->path) + map->build_id_bytes,
			  &record);
	if (rc)
		return rc;
	record_number(&record, map->kind);
	record_number(&record, (uint32_t)map->pid);
	record_time(&record, map->time_ns);
	record_number(&record, map->addr);
	record_number(&record, map->size);
	record_number(&record, map->file_off);
	record_number(&record, map->dev);
	record_number(&record, map->inode);
	record_number(&record, map->deleted);
	record_string(&record, map->path);
	record_bytes(&record, map->build_id, map->build_id_bytes);
	record_end(&record, PRF_PCTRACE_MAPPING);
	keep(writer, PRF_EVENT_MAPPING, map);
	return 0;
}

static int
write_life(struct prf_sink *sink, const struct prf_life *life)
{
	struct prf_pctrace_writer *writer = (struct prf_pctrace_writer *)sink;
	struct record record;
	int rc;

	if (life->kind >= PRF_N_LIFE_KINDS)
		return -EINVAL;
	rc = record_begin(writer, life->time_ns, string_bytes(life->name),
			  &record);
	if (rc)
		return rc;
	record_number(&record, life->kind);
	record_number(&record, (uint32_t)life->pid);
	record_number(&record, (uint32_t)life->tid);
	record_number(&record, (uint32_t)life->parent);
	record_time(&record, life->time_ns);
	record_number(&record, life->cpu_ns);
	record_number(&record, (uint32_t)life->wait_status);
	record_string(&record, life->name);
	record_end(&record, PRF_PCTRACE_LIFE);
	keep(writer, PRF_EVENT_LIFE, life);
	return 0;
}

static int
write_figure(struct prf_sink *sink, const struct prf_figure *figure)
{
	struct prf_pctrace_writer *writer = (struct prf_pctrace_writer *)sink;
	struct record record;
	int rc = record_begin(writer, writer->state.time_ns,
			      string_bytes(figure->name), &record);

	if (rc)
		return rc;
	record_string(&record, figure->name);
	record_number(&record, figure->value);
	record_end(&record, PRF_PCTRACE_FIGURE);
	return 0;
}

/* --- What a block repeats */

/* Writes EVENT again; of a program's arguments, which may be long, only as many
 * bytes as are needed to tell it from others. */
static int
write_again(struct prf_pctrace_writer *writer, const struct prf_event *event)
{
	const void *what = event + 1;

	if (event->kind != PRF_EVENT_EXEC)
		return prf_event_give(event, &writer->base);
	struct prf_exec exec = *(const struct prf_exec *)what;
	char command[PRF_PCTRACE_AGAIN_COMMAND_BYTES + 1];

	snprintf(command, sizeof command, "%s", exec.command);
	exec.command = command;
	return write_exec(&writer->base, &exec);
}

static int
write_past(struct prf_pctrace_writer *writer)
{
	const struct prf_pctrace_past_event *event;
	struct record again;
	size_t begin = writer->n_bytes;
	int rc = record_begin(writer, writer->begin_ns, 0, &again);

	/* The records in it lie where its body is. */
	writer->n_bytes = (size_t)(again.body - writer->payload);
	TAILQ_FOREACH(event, &writer->past, others)
	if (!rc && event->is_needed)
		rc = write_again(writer, &event->event);
	again.at = writer->payload + writer->n_bytes;
	writer->n_bytes = begin;
	if (!rc)
		record_end(&again, PRF_PCTRACE_AGAIN);
	return rc;
}

static int
tell_again(struct prf_pctrace_writer *writer)
{
	int rc = 0;

	if (writer->n_fact_bytes)
		memcpy(writer->payload, writer->facts, writer->n_fact_bytes);
	writer->n_bytes = writer->n_fact_bytes;
	writer->n_fact_bytes = 0;
	writer->tells_again = true;
	if (prf_pctrace_past_select(&writer->past) > 0)
		rc = write_past(writer);
	writer->tells_again = false;
	prf_pctrace_past_clear(&writer->past);
	writer->n_again_bytes = writer->n_bytes;
	writer->state.time_ns = writer->begin_ns;
	return rc;
}

/* --- Begin and end */

static int
write_finish(struct prf_sink *sink, struct prf_error *err)
{
	struct prf_pctrace_writer *writer = (struct prf_pctrace_writer *)sink;
	struct record record;
	int rc = record_begin(writer, writer->state.time_ns, 0, &record);

	if (!rc) {
		record_end(&record, PRF_PCTRACE_END);
		rc = prf_pctrace_writer_end_block(writer);
	}
	if (rc)
		return prf_error_set(err, rc, "cannot write the trace: %s",
				     strerror(-rc));
	return 0;
}

static void
write_free(struct prf_sink *sink)
{
	struct prf_pctrace_writer *writer = (struct prf_pctrace_writer *)sink;

	prf_pctrace_past_clear(&writer->past);
	free(writer->facts);
	free(writer);
}

static const struct prf_sink_ops writer_ops = {
	.exec = write_exec,
	.mapping = write_mapping,
	.sample = prf_pctrace_writer_sample,
	.life = write_life,
	.figure = write_figure,
	.finish = write_finish,
	.free = write_free,
};

static int
write_header(struct prf_pctrace_writer *writer)
{
	uint8_t header[PRF_PCTRACE_HEADER_BYTES] = PRF_PCTRACE_MAGIC;

	prf_byteorder_put(header + PRF_PCTRACE_VERSION_OFF, PRF_PCTRACE_VERSION,
			  2, false);
	prf_byteorder_put(
		header + PRF_PCTRACE_SUM_OFF,
		prf_crc32_of(&writer->crc, header, PRF_PCTRACE_SUM_OFF), 4,
		false);
	return prf_pctrace_writer_write(writer, header, sizeof header);
}

static int
write_fact(struct prf_pctrace_writer *writer, struct prf_pctrace_info *info,
	   const struct prf_pctrace_fact *fact)
{
	char digits[24];
	const char *text = digits;
	struct record record;

	if (fact->is_number)
		snprintf(digits, sizeof digits, "%" PRIu64,
			 *prf_pctrace_fact_number(info, fact));
	else
		text = *prf_pctrace_fact_text(info, fact);
	if (fact->is_number ? !strcmp(digits, "0") : !text || !*text)
		return 0;

	int rc = record_begin(writer, info->monotonic_ns,
			      strlen(fact->name) + string_bytes(text), &record);
	if (rc)
		return rc;
	record_string(&record, fact->name);
	record_string(&record, text);
	record_end(&record, PRF_PCTRACE_INFO);
	return 0;
}

/* The next block repeats the facts, which are the whole payload. */
static int
keep_facts(struct prf_pctrace_writer *writer)
{
	writer->facts = malloc(writer->n_bytes + 1);
	if (!writer->facts)
		return -ENOMEM;
	memcpy(writer->facts, writer->payload, writer->n_bytes);
	writer->n_fact_bytes = writer->n_bytes;
	return prf_pctrace_writer_end_block(writer);
}

/* The header, and the facts in a block of their own. */
static int
write_begin(struct prf_pctrace_writer *writer, struct prf_pctrace_info info)
{
	int rc = write_header(writer);

	for (size_t i = 0; !rc && i < PRF_PCTRACE_N_FACTS; i++)
		rc = write_fact(writer, &info, &prf_pctrace_facts[i]);
	if (!rc)
		rc = keep_facts(writer);
	if (!rc && fflush(writer->file))
		rc = -errno;
	return rc;
}

int
prf_pctrace_sink_new(FILE *file, const struct prf_pctrace_info *info,
		     struct prf_sink **out, struct prf_error *err)
{
	/* Pages that are not used are not touched. */
	struct prf_pctrace_writer *writer = calloc(1, sizeof *writer);

	if (!writer)
		return prf_error_set(err, -ENOMEM, "out of memory");
	writer->base.ops = &writer_ops;
	writer->file = file;
	writer->tell_again = tell_again;
	TAILQ_INIT(&writer->past);
	prf_crc32_init(&writer->crc);
	int rc = write_begin(writer, *info);
	if (rc) {
		write_free(&writer->base);
		return prf_error_set(err, rc, "cannot write the trace: %s",
				     strerror(-rc));
	}
	*out = &writer->base;
	return 0;
}
