import { err, ok, type Result } from '#recipes/result.ts'
import type { Stretch } from '#recipes/stretch.ts'
import { editsStartMs } from '#recipes/first-picture.ts'
import {
  beginsLikeMp4,
  checkSource,
  nominalRateOf,
  notShown,
  toolsForCheck,
  withImmersive,
} from '#server/media/check-upload.ts'
import { refuseLoad, refuseSparse } from '#server/media/cost.ts'
import { longestEditList } from '#server/media/edit-lists.ts'
import { createExcerptClock } from '#server/media/excerpt-clock.ts'
import type { Ffmpeg } from '#server/media/ffmpeg.ts'
import type { FileProbe } from '#server/media/file-probe.ts'
import { measureChanges } from '#server/media/measure-changes.ts'
import { measurePackets } from '#server/media/measure-packets.ts'
import { measurePictures } from '#server/media/measure-pictures.ts'
import { probeFile } from '#server/media/probe.ts'
import { placesWithin, untilEnd } from '#server/media/stretch-places.ts'
import { takePicture } from '#server/media/thumbnail.ts'
import {
  refuseColors,
  refuseEdits,
  refuseLength,
  refusePicture,
  unmeasured,
  unreadable,
  type Refusal,
} from '#server/media/upload-refusals.ts'

/** An excerpt, and what it says that it is. */
export interface ExcerptCheck {
  readonly path: string
  /** Of the whole video, because results are named by it. */
  readonly fileName: string
  readonly stretches: readonly Stretch[]
  /** Which of several sounds the owner of the video chose, from 0; null = none. */
  readonly sound: number | null
  readonly scratchDir: string
  readonly signal: AbortSignal
}

/**
 * Places that are looked at for fields, as many as of a whole video, and room for their pictures.
 */
const LOOKS = 5
const LOOK_MS = 500
/** Places at which one picture has to come out. */
const SHOWN = 3

/**
 * [Note: excerpts] A file with holes says of itself what is not true of its video: its pictures
 * seem to be few and to stay for minutes. So the check of an excerpt is one of its own, which looks
 * between the ends of its stretches only, and its probe is such that a recipe plans the same as
 * with the probe of the whole. What no edit of an excerpt follows is left out: what is known of the
 * whole file's sound and bytes. The length is that of the headers, because the last packet says
 * nothing either; a wrong one only moves the ends of what may be shown, and stretches that are not
 * there are seen. Where anything is in doubt, as with several sounds none of which was chosen, the
 * excerpt is refused: its edits wait for the whole.
 */
export async function checkExcerpt(
  tools: Ffmpeg,
  check: ExcerptCheck,
): Promise<Result<FileProbe, Refusal>> {
  const edits = refuseEdits(await longestEditList(check.path))
  if (edits !== null) return err(edits)
  const ffmpeg = tools.allowance === undefined ? await toolsForCheck(tools, check.path) : tools
  const probed = await probeFile(ffmpeg, check.path, check.fileName, check.scratchDir, check.signal)
  if (!probed.ok)
    return err(unreadable(probed.error.detail, 'media-job', await beginsLikeMp4(check.path)))
  const declared = check.sound === null ? probed.value : probed.value.whenChosen(check.sound)
  const refusal =
    refusePicture(declared, checkSource(declared, check.fileName)) ??
    refuseLength(declared.source.durationMs) ??
    refuseOther(declared, check.sound)
  if (refusal !== null) return err(refusal)
  const stretches = untilEnd(check.stretches, declared.source.durationMs)
  if (stretches.length < check.stretches.length) return err(notUsed('a stretch behind the end'))
  const inside = { ...check, stretches }
  const measured = await measure(ffmpeg, inside, declared)
  if (!measured.ok) return measured
  const places = placesWithin(stretches, LOOKS, LOOK_MS)
  const looking = { ...inside, purpose: 'excerpt', placesMs: places } as const
  const seen = await measurePictures(ffmpeg, looking, measured.value)
  const probe = await withImmersive(seen, check.path)
  const colors = refuseColors(checkSource(probe, check.fileName))
  if (colors !== null) return err(colors)
  return await decode(ffmpeg, inside, probe)
}

/** What devices cut excerpts of, as ffmpeg names it. */
const CUT = ['mov,', 'matroska,']

/** Refuses what the device makes no excerpts of. */
function refuseOther(
  { kind, formatName, tracks }: FileProbe,
  chosen: number | null,
): Refusal | null {
  const isCut = kind === 'video' && CUT.some((first) => formatName.startsWith(first))
  if (!isCut) return notUsed(`${kind} in ${formatName}`)
  // Which sound is the silent one, only the whole says.
  const pictures = tracks.filter((track) => track.kind === 'picture')
  const sounds = tracks.filter((track) => track.kind === 'sound' && track.isDecodable)
  const isInDoubt = sounds.length > 1 && !sounds.some(({ number }) => number === chosen)
  return pictures.length > 1 || isInDoubt
    ? notUsed(`${pictures.length} pictures and ${sounds.length} sounds`)
    : null
}

/** Longer than plans take a picture to be shown, see recipes/steady-source.ts. */
const LONGEST_STAY_MS = 2000

async function measure(
  ffmpeg: Ffmpeg,
  check: ExcerptCheck,
  declared: FileProbe,
): Promise<Result<FileProbe, Refusal>> {
  const clock = createExcerptClock()
  const packets = await measurePackets(ffmpeg, { ...check, ...declared, onPicture: clock.add })
  if (!packets.ok) return err(unmeasured(packets.error))
  const { fileStartS, pictureStartMs } = packets.value
  const zeroS = fileStartS + editsStartMs({ pictureStartMs }) / 1000
  const measured = clock.read(check.stretches, zeroS)
  if (measured === null) return err(notUsed('stretches without pictures'))
  const { frameRate, evenRate, longestStayMs, bitsPerSecond } = measured
  if (longestStayMs > LONGEST_STAY_MS)
    return err(notUsed(`a picture stays for ${longestStayMs} ms`))
  const load = {
    pixelsPerPicture: declared.codedPixels,
    picturesPerSecond: frameRate,
    bitsPerSecond,
  }
  const cost = refuseLoad(load) ?? refuseSparse(load)
  if (cost !== null) return err({ ...notUsed(JSON.stringify(load)), message: cost })
  const probe: FileProbe = {
    ...declared,
    source: {
      ...declared.source,
      ...(pictureStartMs > 0 ? { pictureStartMs } : {}),
      longestStayMs,
      frameRate,
      ...nominalRateOf(declared, frameRate, evenRate),
    },
  }
  const known = await measureChanges(ffmpeg, check, probe, null)
  return known.ok ? ok(known.value) : err({ code: 'unsupported', ...known.error })
}

/** The excerpt, when pictures come out of it; an edit would find at its cost that none do. */
async function decode(
  ffmpeg: Ffmpeg,
  check: ExcerptCheck,
  probe: FileProbe,
): Promise<Result<FileProbe, Refusal>> {
  for (const atMs of placesWithin(check.stretches, SHOWN, LOOK_MS)) {
    const picture = await takePicture(ffmpeg, check, probe, atMs)
    if (!picture.ok) return err(notShown(probe, picture.error.detail))
  }
  return ok(probe)
}

function notUsed(detail: string): Refusal {
  return {
    code: 'unsupported',
    message: 'No edit can be made of this excerpt. Your edits are made of the whole video.',
    detail,
  }
}
