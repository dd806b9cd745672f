import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CORPUS, corpusFile, type CorpusFile } from '#tests/fixtures/media-corpus.ts'
import { makeOddSource } from '#tests/fixtures/odd-sources/kinds.ts'
import { ODD_SOURCES } from '#tests/fixtures/odd-sources/list.ts'
import { checkFile, expectReportOfFfprobe, wordsOf } from '#tests/setup/corpus-report.ts'
import { openDevicePage, type DevicePage } from '#tests/setup/device-page.ts'
import { probeFailureCopy } from '#src/components/problem/probe-copy.ts'

/** Another file of the corpus shows the same; the soak reads all. */
const ALIKE: ReadonlySet<string> = new Set([
  'black.avi',
  'camcorder-blank.ts',
  'camcorder.ts',
  'cut.mkv',
  'damaged-hevc.mp4',
  'damaged.avi',
  'dnxhr.mov',
  'few-key-frames.avi',
  'fast.mp4',
  'flash.flv',
  'h264.avi',
  'hdr.mp4',
  'hevc.mp4',
  'huge.mp4',
  'index-last.mp4',
  'interlaced.mp4',
  'interlaced.mpg',
  'level.mov',
  'located.mkv',
  'long-sound.mkv',
  'matroska.mkv',
  'mostly-missing.mp4',
  'mpeg2.mpg',
  'prores.mov',
  'short.mp4',
  'silent-ac3.mp4',
  'silent-first.ts',
  'silent.avi',
  'small.mp4',
  'song.flac',
  'song.mp3',
  'song.wav',
  'sound-goes-on.mkv',
  'sound-goes-on.ts',
  'sound-outlasts.avi',
  'sound-outlasts.mp4',
  'sound-outlasts.ts',
  'ten-bit.mp4',
  'too-loud.wmv',
  'turned-back.mov',
  'two-sounds.mp4',
  'uneven.flv',
  'upright.mp4',
  'vp8.webm',
  'windows.wmv',
])

let device: DevicePage
beforeAll(async () => {
  device = await openDevicePage()
})
afterAll(async () => {
  await device.close()
})

const isTaken = (file: CorpusFile): boolean => typeof file.says !== 'string'

describe('what this device says of a corpus of files', () => {
  it('SRC-07 a recording that was taken anywhere begins with its first key frame', async () => {
    const source = ODD_SOURCES.find(({ name }) => name === 'open-start.ts')
    if (source === undefined) throw new Error('There is no open-start.ts')
    // The server says the same: tests/integration/recipes/odd-sources.test.ts.
    expect(await checkFile(device, await makeOddSource(source, ODD_SOURCES))).toMatchObject({
      ok: true,
      value: { engine: 'mediabunny', durationMs: 11_000, pictureStartMs: 210 },
    })
  })

  it.each(['sound-changes.ts', 'sound-changes.mkv'])(
    'REC-27 %s, whose sound becomes mono, is refused on this device',
    async (name) => {
      const source = ODD_SOURCES.find((each) => each.name === name)
      if (source === undefined) throw new Error(`There is no ${name}`)
      const checked = await checkFile(device, await makeOddSource(source, ODD_SOURCES))
      const findings = checked.ok ? checked.value.findings : []
      expect(findings.map(({ ruleId, verdict }) => [ruleId, verdict])).toContainEqual([
        'A20',
        'block',
      ])
    },
  )

  it('knows more than forty', () => expect(CORPUS.length).toBeGreaterThan(40))

  it.each(CORPUS.filter((file) => isTaken(file) && !ALIKE.has(file.name)))(
    'UPL-12 $name: the report is that of ffprobe, and only the rules $says speak',
    async (file) => {
      await expectReportOfFfprobe(device, await corpusFile(file.name), file)
    },
  )

  it.each(CORPUS.filter((file) => !isTaken(file)))(
    'UPL-03 $name is refused with $says',
    async ({ name, says, words }) => {
      const checked = await checkFile(device, await corpusFile(name))
      expect(checked).toMatchObject({ ok: false, error: { code: says } })
      if (words !== undefined && !checked.ok)
        expect(wordsOf('block', probeFailureCopy(checked.error))).toEqual(words)
    },
  )

  it('sends no request to another origin', () => expect(device.foreign).toEqual([]))
})
