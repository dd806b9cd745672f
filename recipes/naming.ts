/**
 * File systems take 255 bytes of UTF-8. Browsers put an ending behind a name while they load it,
 * and a number where it is taken.
 */
const NAME_BYTES = 255 - '.crdownload (99)'.length

/**
 * What shows nothing, and can turn a name around or make it look like another: marks of direction,
 * blank letters, halves of characters. Joiners of letters and emoji go too: browsers save `_` in
 * their place.
 */
const UNSEEN = /(?![\p{M}\p{Cc}])[\p{C}\p{DI}]/gu

/** What no letter, digit or emoji of any script is made of, and marks that have lost theirs. */
const BETWEEN = /(?:[^\p{L}\p{M}\p{N}\p{Extended_Pictographic}\p{Emoji_Modifier}\p{RI}_]|^)\p{M}*/gu

/** What Windows takes for a device, whatever ending follows. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d¹²³]) *(?:\.|$)/i

/**
 * A file name for an output: the source's name without its ending, then `-suffix.extension`. It
 * keeps letters, digits and emoji of all scripts (NFC), and has a dash for all else, so that it is
 * safe in archives and on every file system. At most 239 bytes in UTF-8.
 */
export function outputFileName(sourceFileName: string, suffix: string, extension: string): string {
  const base = sourceFileName.replace(/^.*[\\/]/s, '').replace(/\.[A-Za-z0-9]{1,5}$/, '')
  const words = seen(base).replace(BETWEEN, '-').replace(/-{2,}/g, '-').replace(/^-/, '')
  const tail = `-${suffix}.${extension}`
  const safe = cutTo(words, NAME_BYTES - bytesOf(tail)).replace(/-$/, '')
  return `${safe === '' ? 'video' : safe}${tail}`
}

/**
 * A name that people gave, as every file system takes it: without a path, marks of direction, and
 * what Windows forbids. At most 239 bytes in UTF-8; `file` where nothing is left.
 * @param ending comes behind it, and is not looked at
 */
export function plainFileName(name: string, ending = ''): string {
  const taken = seen(name)
    .replace(/[\p{Cc}<>:"/\\|?*]/gu, '_')
    .replace(/\p{Z}/gu, ' ')
    .replace(/^[. ]+/, '')
  const marked = DEVICE.test(taken + ending) ? `_${taken}` : taken
  const plain = cutTo(marked, NAME_BYTES - bytesOf(ending)).replace(/[. ]+$/, '')
  return `${plain === '' ? 'file' : plain}${ending}`
}

/**
 * The beginning of a text that fits into `room`, by whole characters as people see them: no letter
 * loses its accents, and no emoji its parts.
 */
export function cutTo(
  text: string,
  room: number,
  sizeOf: (text: string) => number = bytesOf,
): string {
  let left = room
  let cut = ''
  for (const { segment } of new Intl.Segmenter('en').segment(text)) {
    left -= sizeOf(segment)
    if (left < 0) break
    cut += segment
  }
  return cut
}

function seen(name: string): string {
  return name.replace(UNSEEN, '').normalize('NFC')
}

const utf8 = new TextEncoder()

function bytesOf(text: string): number {
  return utf8.encode(text).length
}

/** A number with leading zeros: `numbered(3)` is `03`. */
export function numbered(value: number): string {
  return String(value).padStart(2, '0')
}

/** Milliseconds as ffmpeg's seconds, without exponent or rounding surprises: 1234 -> `1.234`. */
export function seconds(ms: number): string {
  return (Math.max(0, ms) / 1000).toFixed(3)
}

/** Name of the output of an edit that is one video. */
export function videoName(slug: string): string {
  return `${slug}.mp4`
}
