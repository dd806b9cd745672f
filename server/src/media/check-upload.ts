import { open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { deepFindings } from '#checks/deep-rules.ts'
import { err, ok, type Result } from '#recipes/result.ts'
import type { Finding } from '#checks/facts.ts'
import { quickFindings, worstFirst } from '#checks/quick-rules.ts'
import type { Ffmpeg } from '#server/media/ffmpeg.ts'
import { findEndMs } from '#server/media/find-end.ts'
import { MAX_DURATION_MS, MAX_SIDE_PX, MIN_DURATION_MS } from '#server/media/formats.ts'
import { probeFile, type FileProbe } from '#server/media/probe.ts'
import { runFfmpeg } from '#server/media/run.ts'

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
}

/** Why the file cannot be used: `message` is for the creator, `detail` for support. */
export interface Refusal {
  readonly code: 'unreadable' | 'no-video' | 'unsupported' | 'too-long' | 'too-large'
  readonly message: string
  readonly detail: string
}

/**
 * Looks into a file from a user, whatever its name says: format, streams, sizes, one decoded frame,
 * and whether its end is there.
 */
export async function checkUpload(
  ffmpeg: Ffmpeg,
  check: UploadCheck,
): Promise<Result<CheckedFile, Refusal>> {
  const probed = await probeFile(ffmpeg, check.path, check.fileName, check.scratchDir, check.signal)
  if (!probed.ok)
    return err(unreadable(probed.error.detail, check.purpose, await beginsLikeMp4(check.path)))
  const declared = probed.value
  const refusal = refuseFacts(declared, findingsOf(check, declared, 0))
  if (refusal !== null) return err(refusal)
  const endMs =
    declared.kind === 'image'
      ? declared.source.durationMs
      : await findEndMs(ffmpeg, { ...check, durationMs: declared.source.durationMs })
  const missingShare = declared.kind === 'image' ? 0 : 1 - endMs / declared.source.durationMs
  const probe = missingShare === 0 ? declared : upTo(declared, endMs)
  const findings = findingsOf(check, probe, missingShare)
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
      detail: `no packets after ${endMs} ms`,
    })
  }
  if (probe.kind === 'audio') return ok({ probe, thumbnailPath: null, findings })
  const thumbnail = await makeThumbnail(ffmpeg, check, probe)
  // A picture came out of it, so what looked like an unknown codec can be read after all.
  return thumbnail.ok
    ? ok({
        probe,
        thumbnailPath: thumbnail.value,
        findings: findings.filter((finding) => finding.ruleId !== 'A14'),
      })
    : err({
        code: 'unsupported',
        message:
          probe.source.videoCodec === 'h264'
            ? 'The video in this file is damaged and cannot be shown. Please export or copy it again, then upload the new file.'
            : `We could not read the video in this file (${probe.source.videoCodec}). Please export it as MP4 with H.264 and upload that.`,
        detail: thumbnail.error,
      })
}

function unreadable(detail: string, purpose: UploadCheck['purpose'], isMp4: boolean): Refusal {
  if (isMp4 && /moov atom not found/.test(detail)) {
    return {
      code: 'unreadable',
      message:
        'The file ends early: its index is missing. Please export or copy it again, then upload the new file.',
      detail,
    }
  }
  const what =
    purpose === 'media-job'
      ? 'This is not a video file.'
      : 'This is not a video, image, or audio file.'
  return { code: 'unreadable', message: `${what} Please choose another file.`, detail }
}

/**
 * ffprobe also believes the name of a file; its first box (ISO/IEC 14496-12, `ftyp`) tells a cut
 * MP4 from something else.
 */
async function beginsLikeMp4(path: string): Promise<boolean> {
  await using file = await open(path, 'r')
  const { buffer } = await file.read(Buffer.alloc(8), 0, 8, 0)
  return ['ftyp', 'moov', 'mdat', 'wide', 'free', 'skip'].includes(buffer.toString('latin1', 4, 8))
}

/** Assets may be pictures or sounds: the rules are about videos. */
function findingsOf(
  check: UploadCheck,
  probe: FileProbe,
  missingShare: number,
): readonly Finding[] {
  return check.purpose === 'media-job' ? checkSource(probe, check.fileName, missingShare) : []
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

function refuseFacts(probe: FileProbe, findings: readonly Finding[]): Refusal | null {
  const { durationMs, width, height } = probe.source
  const detail = JSON.stringify({ formatName: probe.formatName, durationMs, width, height })
  const noPicture = findings.find((finding) => finding.ruleId === 'A4')
  if (noPicture !== undefined) {
    const message =
      noPicture.facts['kind'] === 'photo'
        ? 'This is an image, not a video. Please choose a video.'
        : 'This file has sound but no video. Please choose a video.'
    return { code: 'no-video', message, detail }
  }
  if (probe.kind !== 'audio' && (width < 2 || height < 2))
    return {
      code: 'unsupported',
      message: 'This file has no video that can be shown. Please export it again.',
      detail,
    }
  if (width > MAX_SIDE_PX || height > MAX_SIDE_PX)
    return {
      code: 'too-large',
      message: `The video is ${width} × ${height}. The limit is ${MAX_SIDE_PX} pixels per side. Please export a smaller version.`,
      detail,
    }
  if (probe.kind === 'image') return null
  if (durationMs < MIN_DURATION_MS)
    return {
      code: 'unsupported',
      message: 'This video is too short to edit. Please export it again, or choose another file.',
      detail,
    }
  if (durationMs > MAX_DURATION_MS)
    return {
      code: 'too-long',
      message: 'This video is longer than 24 hours. Please split it.',
      detail,
    }
  return null
}

/** The same file as far as it goes: its edits are planned, and paid for, by what is there. */
function upTo(probe: FileProbe, durationMs: number): FileProbe {
  return {
    ...probe,
    source: { ...probe.source, durationMs },
    facts: { ...probe.facts, durationMs },
  }
}

async function makeThumbnail(
  ffmpeg: Ffmpeg,
  check: UploadCheck,
  probe: FileProbe,
): Promise<Result<string, string>> {
  const path = join(check.scratchDir, 'thumbnail.jpg')
  let detail = ''
  for (const atMs of probe.kind === 'image' ? [0] : [probe.source.durationMs / 10, 0]) {
    const end = await runFfmpeg(ffmpeg, {
      inputs: [
        {
          from: { kind: 'source' },
          flags: ['-threads', '2'],
          ...(atMs > 0 ? { seekMs: atMs } : {}),
        },
      ],
      args: [
        '-an',
        '-sn',
        '-dn',
        '-frames:v',
        '1',
        '-vf',
        "scale=w='min(640,iw*sar)':h=-2,setsar=1,format=yuvj420p",
        '-map_metadata',
        '-1',
        '-q:v',
        '3',
        '-f',
        'mjpeg',
        { kind: 'output', name: 'thumbnail.jpg' },
      ],
      pathOf: (place) => (place.kind === 'source' ? check.path : path),
      cwd: check.scratchDir,
      signal: check.signal,
      outputDurationMs: 0,
      timeoutMs: 60_000,
      maxFileBytes: 8 << 20,
    })
    if (!end.ok) detail = end.error.detail
    else if (await isNotEmpty(path)) return ok(path)
  }
  return err(detail === '' ? 'no frame came out' : detail)
}

async function isNotEmpty(path: string): Promise<boolean> {
  return await stat(path).then(
    (facts) => facts.size > 0,
    () => false,
  )
}
