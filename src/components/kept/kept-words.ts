import type { KeptFileRow, RoomFor } from '#src/hooks/edits/use-kept-files.ts'
import { formatBytes } from '#src/lib/bytes.ts'
import { monthWords } from '#src/lib/time-words.ts'

type Fault = NonNullable<KeptFileRow['fault']>

/** Why a file is not here. */
export const FAULT_WORDS: Readonly<Record<Fault, string>> = {
  gone: 'The server does not have this file any more.',
  refused: 'The server did not give this file.',
  'no-room': 'There was no room for this file.',
  unwritable: 'This device could not write the file.',
  removed: 'This device removed the file. Get it again?',
  stopped: 'You ended this download in your browser. Get it again?',
}

/** '1.4 of 2 GB', '300 MB of 2 GB'. */
export function takenWords(takenBytes: number, limitBytes: number): string {
  const [taken = '', unit] = formatBytes(takenBytes).split(' ')
  const limit = formatBytes(limitBytes)
  return limit.endsWith(` ${unit}`) ? `${taken} of ${limit}` : `${taken} ${unit} of ${limit}`
}

/** 'Remove 3 files last opened in May?' */
export function goingTitle(files: readonly KeptFileRow[], nowEpochMs: number): string {
  const times = files.map(({ lastOpenedAtEpochMs }) => lastOpenedAtEpochMs)
  const [from, to] = [Math.min(...times), Math.max(...times)].map((at) =>
    monthWords(at, nowEpochMs),
  )
  const when = from === to ? `in ${from}` : `from ${from} to ${to}`
  return `Remove ${files.length === 1 ? '1 file' : `${files.length} files`} last opened ${when}?`
}

/** Why a file cannot be kept at all. */
export function noRoomWords(room: Exclude<RoomFor, { kind: 'fits' | 'remove' }>): string {
  return room.kind === 'over-limit'
    ? `Kept files may take ${formatBytes(room.limitBytes)}, which leaves no room for this file. You can change that on your account page.`
    : 'This device has too little free space for this file.'
}
