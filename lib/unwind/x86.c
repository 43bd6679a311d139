#include "unwind/x86.h"

/* What follows an opcode: */
enum {
	ALONE = '.',
	MODRM = 'm',
	BYTE = 'b',
	WORD = 'w',
	LONG = 'z', /* 2 bytes with an operand size prefix, else 4 */
	MODRM_BYTE = 'M',
	MODRM_LONG = 'Z',
	VALUE = 'v',   /* as LONG, or 8 bytes */
	ADDRESS = 'a', /* as many bytes as an address */
	ENTER = 'e',   /* 3 bytes */
	FAR = 'p',     /* as LONG, and 2 bytes */
	NEAR = 'j',    /* a jump by 1 byte */
	FURTHER = 'J', /* by 4 */
	GROUP = 'g',   /* MODRM; TEST has a BYTE */
	GROUP_LONG = 'G',
	UNKNOWN = 'x' /* or a prefix, or an escape, which were seen before */
};

static const char one_byte[] = "mmmmbz..mmmmbz.x"
			       "mmmmbz..mmmmbz.."
			       "mmmmbzx.mmmmbzx."
			       "mmmmbzx.mmmmbzx."
			       "................"
			       "................"
			       "..mmxxxxzZbM...."
			       "jjjjjjjjjjjjjjjj"
			       "MZMMmmmmmmmmmmmm"
			       "..........p....."
			       "aaaa....bz......"
			       "bbbbbbbbvvvvvvvv"
			       "MMw.mmMZe.w..b.."
			       "mmmmbb..mmmmmmmm"
			       "jjjjbbbbJJpj...."
			       "x.xx..gG......mm";

static const char two_bytes[] = "mmmm......x.xm.M"
				"mmmmmmmmmmmmmmmm"
				"mmmmxxxxmmmmmmmm"
				"......x.xxxxxxxx"
				"mmmmmmmmmmmmmmmm"
				"mmmmmmmmmmmmmmmm"
				"mmmmmmmmmmmmmmmm"
				"MMMMmmm.mmxxmmmm"
				"JJJJJJJJJJJJJJJJ"
				"mmmmmmmmmmmmmmmm"
				"...mMmxx...mMmmm"
				"mmmmmmmmmmMmmmmm"
				"mmMmMMMm........"
				"mmmmmmmmmmmmmmmm"
				"mmmmmmmmmmmmmmmm"
				"mmmmmmmmmmmmmmmm";

enum { REX_W = 8, REX_R = 4, REX_B = 1 };

struct decoder {
	const uint8_t *bytes;
	size_t n, at;
	bool is_64_bit;
	bool short_operands; /* a prefix says so */
	bool repeats;        /* so does another */
	uint8_t rex;
	uint8_t map; /* 0: one byte; 1: 0f; 2: 0f 38; 3: 0f 3a */
	bool is_vector;
	uint8_t opcode;
	bool has_modrm;
	uint8_t mod, reg, rm; /* REG and RM with the bits of REX */
	bool has_index;       /* or another base than RM says */
	int32_t displacement;
	int64_t immediate;
};

static uint8_t
next(struct decoder *decoder)
{
	if (decoder->at < decoder->n)
		return decoder->bytes[decoder->at++];
	decoder->at = decoder->n + 1;
	return 0;
}

static int64_t
number(struct decoder *decoder, unsigned n)
{
	uint64_t value = 0;

	for (unsigned i = 0; i < n; i++)
		value |= (uint64_t)next(decoder) << (8 * i);
	return n == 0 || n == 8
		       ? (int64_t)value
		       : (int64_t)(value << (64 - 8 * n)) >> (64 - 8 * n);
}

/* Reads prefixes, and returns what is behind them. */
static uint8_t
read_prefixes(struct decoder *decoder)
{
	for (;;) {
		uint8_t byte = next(decoder);

		switch (byte) {
		case 0x66:
			decoder->short_operands = true;
			break;
		case 0xf3:
			decoder->repeats = true;
			break;
		case 0xf2:
		case 0x26:
		case 0x2e:
		case 0x36:
		case 0x3e:
		case 0x64:
		case 0x65:
		case 0x67:
		case 0xf0:
			break;
		default:
			if (!decoder->is_64_bit || byte >> 4 != 4)
				return byte;
			decoder->rex = byte & 0xf;
			return next(decoder);
		}
		if (decoder->at > decoder->n)
			return 0;
	}
}

/* Reads the prefix of a vector instruction that begins with FIRST. */
static bool
read_vector(struct decoder *decoder, uint8_t first)
{
	uint8_t more =
		decoder->at < decoder->n ? decoder->bytes[decoder->at] : 0;

	if ((first != 0xc4 && first != 0xc5 && first != 0x62) ||
	    (!decoder->is_64_bit && more >> 6 != 3))
		return false;
	decoder->is_vector = true;
	decoder->map = 1;
	number(decoder, first == 0xc5 ? 1 : first == 0xc4 ? 2 : 3);
	if (first != 0xc5)
		decoder->map = more & (first == 0xc4 ? 0x1f : 7);
	decoder->opcode = next(decoder);
	return true;
}

static void
read_opcode(struct decoder *decoder)
{
	uint8_t byte = read_prefixes(decoder);

	if (read_vector(decoder, byte))
		return;
	if (byte == 0x0f) {
		decoder->map = 1;
		byte = next(decoder);
		if (byte == 0x38 || byte == 0x3a) {
			decoder->map = byte == 0x38 ? 2 : 3;
			byte = next(decoder);
		}
	}
	decoder->opcode = byte;
}

static void
read_modrm(struct decoder *decoder)
{
	uint8_t modrm = next(decoder), base = modrm & 7;

	decoder->has_modrm = true;
	decoder->mod = modrm >> 6;
	decoder->reg =
		(uint8_t)((modrm >> 3 & 7) | (decoder->rex & REX_R ? 8 : 0));
	if (decoder->mod != 3 && base == 4) {
		uint8_t sib = next(decoder);

		base = sib & 7;
		decoder->has_index = (sib >> 3 & 7) != 4 || decoder->rex & 2;
	}
	decoder->rm = (uint8_t)(base | (decoder->rex & REX_B ? 8 : 0));
	if (decoder->mod == 0 && base == 5) {
		decoder->has_index = true; /* it is no register at all */
		decoder->displacement = (int32_t)number(decoder, 4);
	} else if (decoder->mod == 1) {
		decoder->displacement = (int32_t)number(decoder, 1);
	} else if (decoder->mod == 2) {
		decoder->displacement = (int32_t)number(decoder, 4);
	}
}

static char
form_of(const struct decoder *decoder)
{
	switch (decoder->map) {
	case 0:
		return one_byte[decoder->opcode];
	case 1:
		return two_bytes[decoder->opcode];
	case 3:
		return MODRM_BYTE;
	default: /* 5 and 6: half floats */
		return decoder->map < 7 ? MODRM : UNKNOWN;
	}
}

static bool
read_operands(struct decoder *decoder)
{
	const unsigned size = decoder->short_operands ? 2 : 4;
	const char form = form_of(decoder);
	unsigned n = 0;

	switch (form) {
	case MODRM:
	case MODRM_BYTE:
	case MODRM_LONG:
	case GROUP:
	case GROUP_LONG:
		read_modrm(decoder);
		break;
	default:
		break;
	}
	switch (form) {
	case UNKNOWN:
		return false;
	case BYTE:
	case NEAR:
	case MODRM_BYTE:
		n = 1;
		break;
	case WORD:
		n = 2;
		break;
	case LONG:
	case MODRM_LONG:
		n = size;
		break;
	case FURTHER:
		n = decoder->is_64_bit ? 4 : size;
		break;
	case VALUE:
		n = decoder->rex & REX_W ? 8 : size;
		break;
	case ADDRESS:
		n = decoder->is_64_bit ? 8 : 4;
		break;
	case ENTER:
		n = 3;
		break;
	case FAR:
		n = size + 2;
		break;
	case GROUP:
		n = (decoder->reg & 7) < 2 ? 1 : 0;
		break;
	case GROUP_LONG:
		n = (decoder->reg & 7) < 2 ? size : 0;
		break;
	default:
		break;
	}
	decoder->immediate = number(decoder, n);
	return decoder->at <= decoder->n;
}

/* --- What it does */

/* Register REG becomes SOURCE + VALUE; SOURCE may be none. */
static void
set_register(struct prf_x86 *insn, uint8_t reg, uint8_t source, int64_t value)
{
	insn->value = value;
	if (reg == PRF_X86_SP)
		insn->what = source == PRF_X86_SP   ? PRF_X86_ADD_SP
			     : source == PRF_X86_FP ? PRF_X86_SP_FROM_FP
						    : PRF_X86_SP_LOST;
	else if (reg == PRF_X86_FP)
		insn->what = source == PRF_X86_SP ? PRF_X86_FP_FROM_SP
						  : PRF_X86_FP_LOST;
}

/* 80 to 83: arithmetic with an immediate. */
static void
describe_arithmetic(const struct decoder *decoder, struct prf_x86 *insn)
{
	enum { ADD = 0, SUB = 5, CMP = 7 };
	unsigned operation = decoder->reg & 7;

	if (decoder->mod != 3 || operation == CMP || decoder->opcode == 0x80)
		return;
	if (decoder->rm == PRF_X86_SP && (operation == ADD || operation == SUB))
		set_register(insn, decoder->rm, decoder->rm,
			     operation == ADD ? decoder->immediate
					      : -decoder->immediate);
	else
		set_register(insn, decoder->rm, PRF_X86_NO_REGISTER, 0);
}

/* fe and ff */
static void
describe_group(const struct decoder *decoder, struct prf_x86 *insn)
{
	enum { JUMP = 4, JUMP_FAR, PUSH };
	unsigned operation = decoder->reg & 7;

	if (decoder->opcode == 0xff && operation == PUSH)
		insn->what = PRF_X86_PUSH;
	else if (operation == JUMP || operation == JUMP_FAR)
		insn->what = PRF_X86_JUMP_AWAY;
}

/* Those that write a register, which MODRM tells. */
static void
describe_write(const struct decoder *decoder, struct prf_x86 *insn)
{
	switch (decoder->opcode) {
	case 0x89:
		if (decoder->mod == 3)
			set_register(insn, decoder->rm, decoder->reg, 0);
		break;
	case 0x8b:
		set_register(insn, decoder->reg,
			     decoder->mod == 3 ? decoder->rm
					       : PRF_X86_NO_REGISTER,
			     0);
		break;
	case 0x8d:
		set_register(insn, decoder->reg,
			     decoder->has_index ? PRF_X86_NO_REGISTER
						: decoder->rm,
			     decoder->displacement);
		break;
	case 0x01:
	case 0x09:
	case 0x21:
	case 0x29:
	case 0x31:
		if (decoder->mod == 3)
			set_register(insn, decoder->rm, PRF_X86_NO_REGISTER, 0);
		break;
	case 0x03:
	case 0x0b:
	case 0x23:
	case 0x2b:
	case 0x33:
		set_register(insn, decoder->reg, PRF_X86_NO_REGISTER, 0);
		break;
	default:
		break;
	}
}

static void
describe_one_byte(const struct decoder *decoder, struct prf_x86 *insn)
{
	const uint8_t opcode = decoder->opcode;
	const uint8_t low =
		(uint8_t)((opcode & 7) | (decoder->rex & REX_B ? 8 : 0));

	insn->reg = PRF_X86_NO_REGISTER;
	switch (opcode) {
	case 0x68:
	case 0x6a:
	case 0x9c:
		insn->what = PRF_X86_PUSH;
		return;
	case 0x8f:
	case 0x9d:
		insn->what = PRF_X86_POP;
		return;
	case 0x80:
	case 0x81:
	case 0x83:
		describe_arithmetic(decoder, insn);
		return;
	case 0xc9:
		insn->what = PRF_X86_LEAVE;
		return;
	case 0xe8:
		insn->what = PRF_X86_CALL;
		return;
	case 0xe9:
	case 0xeb:
		insn->what = PRF_X86_JUMP;
		return;
	case 0xc2:
	case 0xc3:
	case 0xca:
	case 0xcb:
	case 0xf4:
		insn->what = PRF_X86_END;
		return;
	case 0x90:
	case 0xcc:
		insn->what = PRF_X86_NOTHING;
		return;
	case 0xfe:
	case 0xff:
		describe_group(decoder, insn);
		return;
	default:
		break;
	}
	if (opcode >> 4 == 5) {
		insn->what = opcode & 8 ? PRF_X86_POP : PRF_X86_PUSH;
		insn->reg = low;
	} else if (opcode >> 4 == 7 || (opcode >> 2 == 0xe0 >> 2)) {
		insn->what = PRF_X86_BRANCH;
	} else if (opcode >= 0xb8 && opcode <= 0xbf) {
		set_register(insn, low, PRF_X86_NO_REGISTER, 0);
	} else if (decoder->has_modrm) {
		describe_write(decoder, insn);
	}
}

static bool
is_landing(const struct decoder *decoder)
{
	return decoder->opcode == 0x1e && decoder->repeats &&
	       decoder->mod == 3 && decoder->reg == 7 &&
	       (decoder->rm == 2 || decoder->rm == 3);
}

static void
describe_two_bytes(const struct decoder *decoder, struct prf_x86 *insn)
{
	if (decoder->opcode >> 4 == 8)
		insn->what = PRF_X86_BRANCH;
	else if (decoder->opcode == 0x0b) /* ud2 */
		insn->what = PRF_X86_END;
	else if (decoder->opcode == 0x1f) /* nop */
		insn->what = PRF_X86_NOTHING;
	else if (is_landing(decoder))
		insn->what = PRF_X86_LANDING;
	else if (decoder->opcode >> 4 == 4 || decoder->opcode == 0xb6 ||
		 decoder->opcode == 0xb7 || decoder->opcode == 0xaf)
		set_register(insn, decoder->reg, PRF_X86_NO_REGISTER, 0);
}

bool
prf_x86_decode(const uint8_t *bytes, size_t n, bool is_64_bit,
	       struct prf_x86 *insn)
{
	enum { INSTRUCTION_MAX = 15 };
	struct decoder decoder = {
		.bytes = bytes,
		.n = n < INSTRUCTION_MAX ? n : INSTRUCTION_MAX,
		.is_64_bit = is_64_bit,
	};

	read_opcode(&decoder);
	if (!read_operands(&decoder))
		return false;
	*insn = (struct prf_x86){
		.n_bytes = (uint8_t)decoder.at,
		.target = decoder.at + (uint64_t)decoder.immediate,
	};
	if (decoder.is_vector)
		return true;
	if (decoder.map == 0)
		describe_one_byte(&decoder, insn);
	else if (decoder.map == 1)
		describe_two_bytes(&decoder, insn);
	return true;
}
