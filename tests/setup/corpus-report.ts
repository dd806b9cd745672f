import { basename } from 'node:path'
import { expect } from 'vitest'
import type {} from '#tests/fixtures/device-page/main.ts'
import type { CorpusFile } from '#tests/fixtures/media-corpus.ts'
import type { DevicePage } from '#tests/setup/device-page.ts'
import { findingCopy } from '#src/components/problem/probe-copy.ts'
import type { ProblemCopy } from '#src/components/problem/problem-words.ts'
import { toFileProbe, type FileProbe } from '#server/media/file-probe.ts'
import { runTool } from './run-tool.ts'

/** Containers round lengths to their own ticks. */
const DURATION_TOLERANCE_MS = 20
/** Share. */
const RATE_TOLERANCE = 0.001

export const wordsOf = (verdict: string, { title, body }: ProblemCopy) => [verdict, title, body]

/** The quick and the deep check of a file on this device. */
export async function checkFile(device: DevicePage, path: string) {
  await device.page.setInputFiles('#file', path)
  return device.page.evaluate(() => window.device.check())
}

/** Asserts that the report of a file is that of ffprobe, and that only its own rules speak. */
export async function expectReportOfFfprobe(
  device: DevicePage,
  path: string,
  { name, says, words, tolerance }: CorpusFile,
): Promise<void> {
  const [checked, native] = [await checkFile(device, path), await ffprobe(path)]
  if (!checked.ok) throw new Error(checked.error.code)
  const { value: report } = checked
  expect(
    report.findings.map((finding) => finding.ruleId),
    JSON.stringify(report),
  ).toEqual(says)
  if (words !== undefined)
    expect(
      report.findings.map((finding) => wordsOf(finding.verdict, findingCopy(finding))),
    ).toEqual([words])
  // Cut Matroska files have no end that two readers agree on.
  if (name === 'cut.mkv') return
  const { source } = native.probe
  expect({
    width: report.video?.displayWidth ?? 0,
    height: report.video?.displayHeight ?? 0,
    rotation: report.video?.rotation ?? 0,
    codec: report.video?.codec ?? '',
    isHdr: report.video?.isHdr ?? false,
    channels: report.audio?.channels ?? 0,
    sampleRate: report.audio?.sampleRate ?? 0,
    videoTracks: report.videoTrackCount,
    audioTracks: report.audioTrackCount,
  }).toEqual({
    width: source.width,
    height: source.height,
    rotation: native.rotation,
    codec: source.videoCodec,
    isHdr: source.isHdr,
    channels: source.audioChannels,
    sampleRate: native.sampleRate,
    videoTracks: native.videoTracks,
    audioTracks: native.audioTracks,
  })
  expect(
    Math.abs((report.durationMs ?? 0) - source.durationMs),
    `${report.durationMs} ms, ffprobe ${source.durationMs} ms`,
  ).toBeLessThanOrEqual(tolerance?.durationMs ?? DURATION_TOLERANCE_MS)
  const rateOff =
    source.frameRate === 0 ? 0 : Math.abs((report.video?.frameRate ?? 0) / source.frameRate - 1)
  expect(
    rateOff,
    `${report.video?.frameRate} a second, ffprobe ${source.frameRate}`,
  ).toBeLessThanOrEqual(tolerance?.frameRate ?? RATE_TOLERANCE)
}

interface Native {
  readonly probe: FileProbe
  readonly rotation: number
  readonly sampleRate: number
  readonly videoTracks: number
  readonly audioTracks: number
}
interface NativeStream {
  readonly codec_type?: string
  readonly sample_rate?: string
  readonly side_data_list?: readonly { readonly rotation?: number }[]
}

async function ffprobe(path: string): Promise<Native> {
  const { stdout } = await runTool('ffprobe', [
    '-v',
    'error',
    '-print_format',
    'json',
    '-show_format',
    '-show_streams',
    path,
  ])
  const probe = toFileProbe(JSON.parse(stdout) as Parameters<typeof toFileProbe>[0], basename(path))
  if (probe === null) throw new Error(`ffprobe cannot read ${path}`)
  const { streams } = JSON.parse(stdout) as { readonly streams: readonly NativeStream[] }
  const turned =
    streams
      .flatMap((stream) => stream.side_data_list ?? [])
      .find((data) => data.rotation !== undefined)?.rotation ?? 0
  const count = (type: string): number =>
    streams.filter((stream) => stream.codec_type === type).length
  return {
    probe,
    rotation: ((-turned % 360) + 360) % 360,
    sampleRate: probe.source.hasAudio
      ? Number(streams.find((stream) => stream.codec_type === 'audio')?.sample_rate ?? 0)
      : 0,
    videoTracks: count('video'),
    audioTracks: count('audio'),
  }
}
