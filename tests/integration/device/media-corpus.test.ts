import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type {} from '#tests/fixtures/device-page/main.ts'
import { CORPUS, makeCorpus, type CorpusFile } from '#tests/fixtures/media-corpus.ts'
import { openDevicePage, type DevicePage } from '#tests/setup/device-page.ts'
import { findingCopy, probeFailureCopy } from '#src/components/problem/probe-copy.ts'
import type { ProblemCopy } from '#src/components/problem/problem-words.ts'
import { toFileProbe, type FileProbe } from '#server/media/file-probe.ts'

const run = promisify(execFile)
/** Containers round lengths to their own ticks. */
const DURATION_TOLERANCE_MS = 20
/** Share. */
const RATE_TOLERANCE = 0.001

let device: DevicePage
let paths: ReadonlyMap<string, string>
beforeAll(async () => {
  paths = await makeCorpus()
  device = await openDevicePage()
}, 600_000)
afterAll(async () => {
  await device.close()
})

const isTaken = (file: CorpusFile): boolean => typeof file.says !== 'string'
const check = async (name: string) => {
  await device.page.setInputFiles('#file', paths.get(name) ?? '')
  return device.page.evaluate(() => window.device.check())
}

const wordsOf = (verdict: string, { title, body }: ProblemCopy) => [verdict, title, body]

describe('what this device says of a corpus of files', () => {
  it('knows more than forty', () => expect(CORPUS.length).toBeGreaterThan(40))

  it.each(CORPUS.filter(isTaken))(
    'UPL-12 $name: the report is that of ffprobe, and only the rules $says speak',
    async ({ name, says, words, tolerance }) => {
      const [checked, native] = [await check(name), await ffprobe(name)]
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
    },
    60_000,
  )

  it.each(CORPUS.filter((file) => !isTaken(file)))(
    'UPL-03 $name is refused with $says',
    async ({ name, says, words }) => {
      const checked = await check(name)
      expect(checked).toMatchObject({ ok: false, error: { code: says } })
      if (words !== undefined && !checked.ok)
        expect(wordsOf('block', probeFailureCopy(checked.error))).toEqual(words)
    },
    60_000,
  )

  it('sends no request to another origin', () => expect(device.foreign).toEqual([]))
})

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

async function ffprobe(name: string): Promise<Native> {
  const { stdout } = await run('ffprobe', [
    '-v',
    'error',
    '-print_format',
    'json',
    '-show_format',
    '-show_streams',
    paths.get(name) ?? '',
  ])
  const probe = toFileProbe(JSON.parse(stdout) as Parameters<typeof toFileProbe>[0], name)
  if (probe === null) throw new Error(`ffprobe cannot read ${name}`)
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
    sampleRate: Number(streams.find((stream) => stream.codec_type === 'audio')?.sample_rate ?? 0),
    videoTracks: count('video'),
    audioTracks: count('audio'),
  }
}
