/**
 * Counts, by their hashes, the different short texts and keys of JSON text.
 *
 * [Note: cost of a text] To parse a key or a text of up to ten characters, V8 looks it up in a
 * table of all of them, and one that it does not know costs a microsecond: 100,000 of them hold the
 * process as long as 10 MB of other JSON. No body of the app has many: its keys are those of the
 * contract, and its many texts are long.
 */
export interface DistinctTexts {
  /** Counts the text between two quotes; returns how many different ones there were so far. */
  add(json: Uint8Array, start: number, end: number): number
}

/** Ten characters in UTF-8, and as escapes. */
const SHORT_BYTES = 30
const SHORT_ESCAPED_BYTES = 60

/** Another one in each process, so that no stranger can choose texts of one hash. */
const SEED = crypto.getRandomValues(new Uint32Array(1))[0] ?? 0

export function createDistinctTexts(): DistinctTexts {
  const seen = new Uint8Array(1 << 14)
  let count = 0
  return {
    add(json, start, end) {
      const bytes = end - start - 1
      const isCounted =
        bytes <= SHORT_BYTES ||
        (bytes <= SHORT_ESCAPED_BYTES && hasEscape(json, start, end)) ||
        isKey(json, end)
      if (!isCounted) return count
      const hash = hashOf(json, start + 1, end)
      if (seen[hash] === 0) count += 1
      seen[hash] = 1
      return count
    },
  }
}

/** 14 bits of FNV-1a (Fowler, Noll, Vo). */
function hashOf(json: Uint8Array, start: number, end: number): number {
  let hash = SEED
  for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ (json[at] ?? 0), 0x01000193)
  return (hash ^ (hash >>> 16)) & 0x3fff
}

function hasEscape(json: Uint8Array, start: number, end: number): boolean {
  return json.subarray(start, end).includes(0x5c)
}

function isKey(json: Uint8Array, end: number): boolean {
  let next = end + 1
  while (isSpace(json[next])) next += 1
  return json[next] === 0x3a
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}
