import { open, stat } from 'node:fs/promises'
import { refuseAsset } from '#checks/asset-limits.ts'
import { deepFindings } from '#checks/deep-rules.ts'
import type { Finding } from '#checks/facts.ts'
import { kindOf } from '#checks/immersive.ts'
import { quickFindings, worstFirst } from '#checks/quick-rules.ts'
import { err, ok, type Result } from '#recipes/result.ts'
import type { SourceProbe } from '#recipes/types.ts'
import { createAllowance } from '#server/media/allowance.ts'
import { checkLimits, refuseLoad, refuseSparse, type PictureLoad } from '#server/media/cost.ts'
import { longestEditList } from '#server/media/edit-lists.ts'
import type { Ffmpeg } from '#server/media/ffmpeg.ts'
import type { FileProbe } from '#server/media/file-probe.ts'
import { pictureTracksOf } from '#server/media/keep-immersive.ts'
import { learnTracks } from '#server/media/learn-tracks.ts'
import { measureAlpha } from '#server/media/measure-alpha.ts'
import { measureChanges } from '#server/media/measure-changes.ts'
import { measurePackets } from '#server/media/measure-packets.ts'
import { measurePictures } from '#server/media/measure-pictures.ts'
import { measureWidth } from '#server/media/measure-width.ts'
import type { PacketMeasure } from '#server/media/packet-clock.ts'
import { readSounds, takeSound, type SoundChoice } from '#server/media/sounds.ts'
import { probeFile } from '#server/media/probe.ts'
import { makeAssetThumbnail, makeThumbnail } from '#server/media/thumbnail.ts'
import {
  refuseColors,
  refuseEdits,
  refuseLength,
  refusePicture,
  refuseStill,
  unmeasured,
  unreadable,
  type Refusal,
} from '#server/media/upload-refusals.ts'

/** What the check was asked to accept. */
export interface UploadCheck {
  readonly path: string
  readonly fileName: string
  readonly purpose: 'media-job' | 'media-asset'
  readonly scratchDir: string
  readonly signal: AbortSignal
}

/**
 * A usable file and, if it has a picture, a thumbnail in the scratch folder. `findings` are those
 * of the shared pre-checks, which the browser makes too.
 */
export interface CheckedFile {
  readonly probe: FileProbe
  readonly thumbnailPath: string | null
  readonly findings: readonly Finding[]
  /** Between which its owner chooses; none where fewer than two are heard. */
  readonly sounds: readonly SoundChoice[]
}

/**
 * The tools with what they may use together for one file. `mayGoOn` is asked once where the check
 * turns out to be slow; when it says no, all that is done with these tools rejects with `GaveWay`.
 */
export async function toolsForCheck(
  ffmpeg: Ffmpeg,
  path: string,
  mayGoOn: () => boolean = () => true,
): Promise<Ffmpeg> {
  const { size } = await stat(path)
  return { ...ffmpeg, allowance: createAllowance({ ...checkLimits(size), mayGoOn }) }
}

/**
 * Looks into a file from a user, whatever its name and its headers say: format, streams, sizes, the
 * length that its packets have, one decoded frame, and whether its end is there. Rejects with a
 * `ToolFault` when the machine is at fault.
 * @param tools those of `toolsForCheck`, where more is done with the file; others get their own
 *   bound
 */
export async function checkUpload(
  tools: Ffmpeg,
  check: UploadCheck,
): Promise<Result<CheckedFile, Refusal>> {
  const edits = refuseEdits(await longestEditList(check.path))
  if (edits !== null) return err(edits)
  const bounded = tools.allowance === undefined ? await toolsForCheck(tools, check.path) : tools
  return await checkWith(bounded, check)
}

async function checkWith(
  ffmpeg: Ffmpeg,
  check: UploadCheck,
): Promise<Result<CheckedFile, Refusal>> {
  const probed = await probeFile(ffmpeg, check.path, check.fileName, check.scratchDir, check.signal)
  if (!probed.ok)
    return err(unreadable(probed.error.detail, check.purpose, await beginsLikeMp4(check.path)))
  const { probe: declared, loudness } = await learnTracks(ffmpeg, check, probed.value)
  const refusal = refusePicture(declared, findingsOf(check, declared, 0))
  if (refusal !== null) return err(refusal)
  const measured = await measure(ffmpeg, check, declared)
  if (!measured.ok) return measured
  const { missingShare } = measured.value
  const seen = await measurePictures(ffmpeg, check, measured.value.probe)
  const probe = await withImmersive(await looked(ffmpeg, check, seen), check.path)
  const tooMuch =
    check.purpose === 'media-asset' ? refuseAsset({ ...probe.source, ...probe }) : null
  if (tooMuch !== null) return err({ ...tooMuch, detail: JSON.stringify(probe.source) })
  const findings = findingsOf(check, probe, missingShare)
  const colors = refuseColors(findings)
  if (colors !== null) return err(colors)
  // Assets are played from end to end; of a video, half is better than none, and the creator was
  // asked.
  if (
    missingShare > 0 &&
    (check.purpose === 'media-asset' || findings.some((finding) => finding.verdict === 'block'))
  ) {
    return err({
      code: 'unreadable',
      message:
        'The file ends early, so part of the video is missing. Please export or copy it again, then upload the new file.',
      detail: `no packets after ${probe.source.durationMs} ms of ${declared.claimedMs} ms`,
    })
  }
  if (probe.kind === 'audio') return ok({ probe, thumbnailPath: null, findings, sounds: [] })
  const take = check.purpose === 'media-asset' ? makeAssetThumbnail : makeThumbnail
  const thumbnail = await take(ffmpeg, check, probe)
  if (!thumbnail.ok) return err(notShown(probe, thumbnail.error))
  // A picture came out of it, so what looked like an unknown codec can be read after all.
  const shown = (video: FileProbe): readonly Finding[] =>
    findingsOf(check, video, missingShare).filter(({ ruleId }) => ruleId !== 'A14')
  const sounds =
    check.purpose === 'media-job' && probe.kind === 'video'
      ? await readSounds(ffmpeg, check, {
          probe,
          loudness,
          lengths: measured.value.packets?.streams ?? new Map(),
          withSound: (sound) => withSound(probe, declared.whenChosen(sound), measured.value),
          findingsOf: shown,
        })
      : []
  return ok({ probe, thumbnailPath: thumbnail.value, findings: shown(probe), sounds })
}

export function notShown({ source: { videoCodec } }: FileProbe, detail: string): Refusal {
  return {
    code: 'unsupported',
    message:
      videoCodec === 'h264'
        ? 'The video in this file is damaged and cannot be shown. Please export or copy it again, then upload the new file.'
        : `We could not read the video in this file (${videoCodec}). Please export it as MP4 with H.264 and upload that.`,
    detail,
  }
}

/** A checked video with another of its sounds; null where no edit could be made of that. */
function withSound(
  probe: FileProbe,
  other: FileProbe,
  { packets }: Pick<MeasuredFile, 'packets'>,
): FileProbe | null {
  if (packets === null) return null
  const known = counted(other, { ...packets, ...packets.withSound(other.soundIndex) })
  const isOfUse =
    refuseLength(known.probe.source.durationMs) === null && refuseSparse(known.load) === null
  return isOfUse ? takeSound(probe, known.probe) : null
}

/** What edits follow that neither headers nor packets say. */
async function looked(ffmpeg: Ffmpeg, check: UploadCheck, probe: FileProbe): Promise<FileProbe> {
  if (check.purpose !== 'media-job') return await withDrawn(ffmpeg, check, probe)
  const soundWidthDb = await measureWidth(ffmpeg, check, probe.source)
  const { size } = await stat(check.path)
  return {
    ...probe,
    source: {
      ...probe.source,
      bitRate: Math.round((size * 8) / (probe.source.durationMs / 1000)),
      ...(soundWidthDb === null ? {} : { soundWidthDb }),
    },
  }
}

/** What is to be seen of an image, which may be the logo of a watermark. */
async function withDrawn(ffmpeg: Ffmpeg, check: UploadCheck, probe: FileProbe): Promise<FileProbe> {
  const drawn = probe.kind === 'image' ? await measureAlpha(ffmpeg, check, probe.source) : null
  return drawn === null ? probe : { ...probe, source: { ...probe.source, drawn } }
}

/**
 * What the file says of how to look at its picture. ffprobe knows the usual boxes only, and the
 * device has no other reader than this one.
 */
export async function withImmersive(probe: FileProbe, path: string): Promise<FileProbe> {
  const { video } = probe.facts
  const track = video === null ? undefined : (await pictureTracksOf(path))[probe.pictureIndex]
  if (video === null || track?.immersive == null) return probe
  const immersive = kindOf(track.immersive)
  return {
    ...probe,
    source: { ...probe.source, ...(immersive.isKept ? { immersiveTrack: track.id } : {}) },
    facts: { ...probe.facts, video: { ...video, immersive } },
  }
}

/**
 * ffprobe also believes the name of a file; its first box (ISO/IEC 14496-12, `ftyp`) tells a cut
 * MP4 from something else.
 */
export async function beginsLikeMp4(path: string): Promise<boolean> {
  await using file = await open(path, 'r')
  const { buffer } = await file.read(Buffer.alloc(8), 0, 8, 0)
  return ['ftyp', 'moov', 'mdat', 'wide', 'free', 'skip'].includes(buffer.toString('latin1', 4, 8))
}

/**
 * Of an asset: the rules that say whether it will look as its creator knows it. An intro may be
 * short, small and without sound, and a picture or a sound is no video at all.
 */
const ASSET_RULES: ReadonlySet<string> = new Set(['A14', 'A17', 'A18', 'B5', 'B7'])

function findingsOf(
  check: UploadCheck,
  probe: FileProbe,
  missingShare: number,
): readonly Finding[] {
  if (check.purpose === 'media-asset' && probe.kind !== 'video') return []
  const findings = checkSource(probe, check.fileName, missingShare)
  return check.purpose === 'media-job'
    ? findings
    : findings.filter(({ ruleId }) => ASSET_RULES.has(ruleId))
}

/**
 * The rules that the browser showed before the upload, on what ffprobe measured here.
 * `missingShare` (0..1) is that of the length.
 */
export function checkSource(
  probe: FileProbe,
  fileName: string,
  missingShare = 0,
): readonly Finding[] {
  const layout = {
    hasIndex: null,
    hasPayload: true,
    isFragmented: false,
    isEncrypted: false,
    missingShare,
  }
  return worstFirst([
    ...quickFindings({ report: probe.facts, layout, fileName }),
    ...deepFindings(probe.deep, probe.source.durationMs),
  ])
}

/** A file with the length that it has, and how much of what its headers claim is missing (0..1). */
interface MeasuredFile {
  readonly probe: FileProbe
  readonly missingShare: number
  /** Null of a still picture. */
  readonly packets: PacketMeasure | null
}

/**
 * How near to the claimed end packets must be: no muxer ends its tracks exactly together, and some
 * note a length that they only estimate.
 */
const TOLERANCE_SHARE = 0.03
const TOLERANCE_MIN_MS = 4000

/**
 * Replaces the length that the headers claim by that of the packets: what is planned, paid for and
 * rendered must be there, and must be all. A copy that broke off keeps its headers.
 */
async function measure(
  ffmpeg: Ffmpeg,
  check: UploadCheck,
  declared: FileProbe,
): Promise<Result<MeasuredFile, Refusal>> {
  if (declared.kind === 'image') return ok({ probe: declared, missingShare: 0, packets: null })
  const { claimedMs } = declared
  const measured = await measurePackets(ffmpeg, { ...check, ...declared })
  if (!measured.ok) return err(unmeasured(measured.error))
  const { lengthMs, endMs } = measured.value
  const toleranceMs = Math.max(TOLERANCE_MIN_MS, claimedMs * TOLERANCE_SHARE)
  const missingShare = endMs < claimedMs - toleranceMs ? 1 - endMs / claimedMs : 0
  const refusal = refuseStill(declared.formatName, measured.value.packets) ?? refuseLength(lengthMs)
  if (refusal !== null) return err(refusal)
  const { probe, load } = counted(declared, measured.value)
  const detail = JSON.stringify(load)
  const cost = probe.kind === 'video' ? refuseLoad(load) : null
  if (cost !== null) return err({ code: 'too-large', message: cost, detail })
  // An asset may be a still that is shown for long.
  const sparse = check.purpose === 'media-job' ? refuseSparse(load) : null
  if (sparse !== null) return err({ code: 'unsupported', message: sparse, detail })
  const known = await measureChanges(ffmpeg, check, probe, measured.value.keyGapMs)
  return known.ok
    ? ok({ probe: known.value, missingShare, packets: measured.value })
    : err({ code: 'unsupported', ...known.error })
}

/** More pictures than this share beyond the noted rate are another rate, not a rounded one. */
const RATE_TOLERANCE = 1.5

/** Less than this share beside the average is the average. */
const UNEVEN_SHARE = 0.01

/** The rate that the edits of an uneven video follow; a hostile rate stays within what is taken. */
export function nominalRateOf(
  { kind }: FileProbe,
  average: number,
  evenRate: number | null,
): Pick<SourceProbe, 'nominalRate'> {
  const isUneven =
    kind === 'video' && evenRate !== null && Math.abs(evenRate - average) > average * UNEVEN_SHARE
  return isUneven ? { nominalRate: Math.round(evenRate * 1000) / 1000 } : {}
}

/** The file with the length, and the rate where the noted one is too low, that its packets have. */
function counted(
  probe: FileProbe,
  { lengthMs, packets, bytes, evenRate, pictureStartMs, ...measured }: PacketMeasure,
): { readonly probe: FileProbe; readonly load: PictureLoad } {
  const seconds = lengthMs / 1000
  const rate = Math.round((packets / seconds) * 1000) / 1000
  const isNoted = probe.kind !== 'video' || rate <= probe.source.frameRate * RATE_TOLERANCE
  const frameRate = isNoted ? probe.source.frameRate : rate
  const video =
    probe.facts.video === null || isNoted ? probe.facts.video : { ...probe.facts.video, frameRate }
  return {
    probe: {
      ...probe,
      source: {
        ...probe.source,
        durationMs: lengthMs,
        ...(pictureStartMs > 0 ? { pictureStartMs } : {}),
        ...(probe.kind === 'video' ? { longestStayMs: measured.longestStayMs } : {}),
        ...(probe.kind === 'video' && measured.startsWithoutKey ? { startsWithoutKey: true } : {}),
        ...(probe.kind === 'video' && measured.hidesPictures ? { hidesPictures: true } : {}),
        ...(measured.soundFits === null ? {} : { soundFits: measured.soundFits }),
        frameRate,
        ...nominalRateOf(probe, frameRate, evenRate),
      },
      facts: { ...probe.facts, durationMs: lengthMs, video },
    },
    load: {
      pixelsPerPicture: probe.codedPixels,
      picturesPerSecond: rate,
      bitsPerSecond: (bytes * 8) / seconds,
    },
  }
}
