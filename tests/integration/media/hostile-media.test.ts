import { execFileSync } from 'node:child_process'
import { copyFile, mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { plannedResultMs } from '#server/media/bounds.ts'
import { checkOutputs } from '#server/media/check-output.ts'
import { createAllowance, GaveWay } from '#server/media/allowance.ts'
import { checkUpload, toolsForCheck } from '#server/media/check-upload.ts'
import { checkLimits } from '#server/media/cost.ts'
import type { Ffmpeg } from '#server/media/ffmpeg.ts'
import { findRecipe } from '#recipes/presets.ts'
import { usageUnits } from '#recipes/pricing.ts'
import { printArgs } from '#recipes/print-args.ts'
import { SECRET } from '#tests/fixtures/probes.ts'
import { probeFile } from '#server/media/probe.ts'
import { renderPlan } from '#server/media/render-plan.ts'
import { inputGuard, runFfmpeg } from '#server/media/run.ts'
import { bottomless } from '#tests/fixtures/bottomless-files.ts'
import { repeatPicture } from '#tests/setup/edit-list.ts'
import { keptClip } from '#tests/setup/kept.ts'
import { makeClip, testFfmpeg } from '#tests/setup/media.ts'
import { makeMinutes } from '#tests/setup/minutes.ts'
import { patience } from '#tests/setup/patience.ts'

let ffmpeg: Ffmpeg
/** The good video, and a folder for each test with a copy of it. */
let shared: string
let dir: string
const at = (name: string): string => join(dir, name)
const checkOf = (name: string, purpose: 'media-job' | 'media-asset' = 'media-job') => ({
  path: at(name),
  fileName: name,
  purpose,
  scratchDir: dir,
  signal: AbortSignal.timeout(patience(30)),
})
const check = async (...what: Parameters<typeof checkOf>) =>
  await checkUpload(ffmpeg, checkOf(...what))

beforeAll(async () => {
  ffmpeg = await testFfmpeg()
  shared = await mkdtemp(join(tmpdir(), 'onecut-media-'))
  await makeClip(join(shared, 'good.mp4'), 8)
})
afterAll(async () => {
  await rm(shared, { recursive: true, force: true })
})
/** Writes the packets of another clip of this test into a file, which costs less than to encode. */
async function repack(name: string, from: string, ...args: readonly string[]): Promise<void> {
  const clip = await keptClip(`clip${extname(name)}`, ['-i', at(from), '-c', 'copy', ...args])
  await copyFile(clip, at(name))
}
beforeEach(async () => {
  dir = await mkdtemp(join(shared, 'test-'))
  await copyFile(join(shared, 'good.mp4'), at('good.mp4'))
})

describe('UPL-12 what an uploaded file may be', () => {
  it('UPL-12 a good video is measured and gets a thumbnail', async () => {
    const result = await check('good.mp4')
    expect(result).toMatchObject({
      ok: true,
      value: {
        probe: {
          kind: 'video',
          contentType: 'video/mp4',
          source: {
            durationMs: 8000,
            width: 320,
            height: 180,
            frameRate: 25,
            hasAudio: true,
            videoCodec: 'h264',
            audioCodec: 'aac',
            isHdr: false,
          },
        },
      },
    })
    const path = result.ok ? result.value.thumbnailPath : null
    expect([...(await readFile(path ?? '')).subarray(0, 2)]).toEqual([0xff, 0xd8])
  })

  it('UPL-12 a turned video is measured as it is shown', async () => {
    await repack('turned.mp4', 'good.mp4', '-metadata:s:v:0', 'rotate=90')
    expect(await check('turned.mp4')).toMatchObject({
      ok: true,
      value: { probe: { source: { width: 180, height: 320 } } },
    })
  })

  it.each([
    ['webm', '-c:v libvpx -threads 1 -deadline realtime -cpu-used 8 -c:a libopus'.split(' ')],
    ['avi', ['-c:v', 'mpeg4', '-c:a', 'mp3']],
    ['ts', ['-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac']],
  ])('UPL-12 a %s file is accepted', async (extension, output) => {
    await makeClip(at(`good.${extension}`), 4, { size: '160x90', output })
    const result = await check(`good.${extension}`)
    expect(result).toMatchObject({ ok: true })
    const durationMs = result.ok ? result.value.probe.source.durationMs : 0
    expect(Math.abs(durationMs - 4000)).toBeLessThan(150)
  })

  it.each([
    [
      'text with another name',
      'text.mp4',
      async () => writeFile(at('text.mp4'), 'Dear diary, this is not a video. '.repeat(400)),
      'unreadable',
      /not a video file/,
    ],
    [
      'random bytes',
      'noise.mp4',
      async () =>
        writeFile(
          at('noise.mp4'),
          Buffer.from(Array.from({ length: 200_000 }, (_, i) => (i * 7919 + (i >> 3) * 31) & 255)),
        ),
      'unreadable',
      /not a video file/,
    ],
    [
      'nothing',
      'empty.mp4',
      async () => writeFile(at('empty.mp4'), ''),
      'unreadable',
      /not a video file/,
    ],
    [
      'a playlist that names another file',
      'list.mp4',
      async () =>
        writeFile(
          at('list.mp4'),
          '#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n',
        ),
      'unreadable',
      /not a video file/,
    ],
    [
      'a concat script',
      'concat.mp4',
      async () => writeFile(at('concat.mp4'), `ffconcat version 1.0\nfile '${at('good.mp4')}'\n`),
      'unreadable',
      /not a video file/,
    ],
    [
      'a drawing',
      'drawing.mp4',
      async () =>
        writeFile(
          at('drawing.mp4'),
          '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><image href="file:///etc/passwd"/></svg>',
        ),
      'unreadable',
      /not a video file/,
    ],
    [
      'a dash manifest',
      'dash.mp4',
      async () =>
        writeFile(
          at('dash.mp4'),
          '<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static"><Period><BaseURL>file:///etc/passwd</BaseURL></Period></MPD>',
        ),
      'unreadable',
      /not a video file/,
    ],
    [
      'sound only',
      'sound.mp4',
      async () => makeSound(at('sound.mp4')),
      'no-video',
      /sound but no video/,
    ],
    [
      'a picture',
      'picture.mp4',
      async () => makePicture(at('picture.mp4')),
      'no-video',
      /image, not a video/,
    ],
    [
      'a video of one frame',
      'blink.mp4',
      async () => makeClip(at('blink.mp4'), 0.04, { sound: false }),
      'unsupported',
      /too short/,
    ],
    [
      'a picture of which no edit can be made',
      'speck.mp4',
      async () => makeClip(at('speck.mp4'), 0.5, { size: '14x64', sound: false }),
      'unsupported',
      /14 × 64.*at least 16 pixels/,
    ],
    [
      'absurd sizes',
      'wide.mp4',
      async () => makeClip(at('wide.mp4'), 0.5, { size: '8400x16', sound: false }),
      'too-large',
      /8400 × 16/,
    ],
  ])('UPL-12 %s is refused with a reason', async (_title, name, make, code, message) => {
    await make()
    const result = await check(name)
    expect(result).toMatchObject({ ok: false, error: { code } })
    expect(result.ok ? '' : result.error.message).toMatch(message)
    expect(result.ok ? '' : result.error.message).not.toMatch(/passwd|ffmpeg|ffprobe|\//)
  })

  it.each([
    ['an index at the end', 'cut.mp4', []],
    ['an index at the beginning', 'cut.mp4', ['-movflags', '+faststart']],
    ['a Matroska header', 'cut.mkv', []],
  ])(
    'UPL-12 a copy of which more than half is missing is refused: %s',
    async (_title, name, args) => {
      await repack(name, 'good.mp4', ...args)
      const { size } = await stat(at(name))
      await truncate(at(name), Math.round(size * 0.4))
      const result = await check(name)
      expect(result).toMatchObject({ ok: false, error: { code: 'unreadable' } })
      expect(result.ok ? '' : result.error.message).toMatch(/ends early/)
    },
  )

  it.each([
    ['rare.mp4', []],
    ['silent.mkv', ['-an']],
  ])(
    'UPL-12 a whole file is taken for whole where full pictures are ten seconds apart: %s',
    async (name, args) => {
      await makeClip(at('rare.mp4'), 20, {
        size: '128x72',
        output: ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '250'],
      })
      if (name !== 'rare.mp4') await repack(name, 'rare.mp4', ...args)
      const result = await check(name)
      if (!result.ok) throw new Error(result.error.detail)
      expect(result.value.probe.source.durationMs).toBe(20_000)
      expect(result.value.findings.map(({ ruleId }) => ruleId)).not.toContain('A6')
    },
  )

  it.each([
    ['shorter.mp4', ['-movflags', '+faststart']],
    ['shorter.mkv', []],
  ])(
    'UPL-12 of a copy that lost less than half, what is there is taken, and only that: %s',
    async (name, args) => {
      // Five pictures a second, a full one each second.
      const coded = '-vf framestep=5 -c:v libx264 -preset ultrafast -g 5 -c:a aac'.split(' ')
      await makeClip(at('whole.mp4'), 20, { output: coded, size: '480x480' })
      await repack(name, 'whole.mp4', ...args)
      const { size } = await stat(at(name))
      await truncate(at(name), Math.round(size * 0.7))
      const result = await check(name)
      if (!result.ok) throw new Error(result.error.detail)
      const { probe, findings } = result.value
      expect(probe.source.durationMs).toBeGreaterThan(12_500)
      expect(probe.source.durationMs).toBeLessThan(14_500)
      expect(findings).toMatchObject([
        { ruleId: 'A6', verdict: 'warn', facts: { missingPercent: expect.any(Number) } },
      ])
      // An intro that breaks off would be played to the end.
      expect(await check(name, 'media-asset')).toMatchObject({
        ok: false,
        error: { code: 'unreadable' },
      })
    },
  )

  it.each([
    ['ffprobe', 'killed', 'kill -KILL $$'],
    ['ffprobe', 'not started', 'exit 127'],
    ['ffmpeg', 'killed', 'kill -KILL $$'],
  ])('UPL-12 a file is not refused for a %s that was %s', async (tool, what, script) => {
    const program = at('ended')
    await writeFile(program, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
    const ended = {
      ...ffmpeg,
      confinement: { kind: 'none', uid: null, nice: null },
      [`${tool}Path`]: program,
    } as const
    await expect(
      checkUpload(ended, {
        path: at('good.mp4'),
        fileName: 'good.mp4',
        purpose: 'media-job',
        scratchDir: dir,
        signal: AbortSignal.timeout(patience(30)),
      }),
    ).rejects.toThrow(`A media tool was ${what}`)
  })

  it('UPL-12 an asset may be a picture or sound', async () => {
    await makePicture(at('logo.png'))
    await makeSound(at('jingle.m4a'))
    expect(await check('logo.png', 'media-asset')).toMatchObject({
      ok: true,
      value: { probe: { kind: 'image', contentType: 'image/png' } },
    })
    expect(await check('jingle.m4a', 'media-asset')).toMatchObject({
      ok: true,
      value: { probe: { kind: 'audio' }, thumbnailPath: null },
    })
  })
})

describe('TRU-01 the length that is paid for', () => {
  it('TRU-01 a Matroska file is as long as its packets, whatever its header claims', async () => {
    await repack('honest.mkv', 'good.mp4')
    const bytes = await readFile(at('honest.mkv'))
    const duration = bytes.indexOf(Buffer.from('448988', 'hex')) + 3
    expect(bytes.readDoubleBE(duration)).toBeGreaterThan(7999)
    for (const claimed of [1000, Number.NaN]) {
      bytes.writeDoubleBE(claimed, duration)
      await writeFile(at('claims.mkv'), bytes)
      expect(await lengthOf('claims.mkv')).toBe(8000)
    }
    bytes.writeDoubleBE(3_600_000, duration)
    await writeFile(at('claims.mkv'), bytes)
    expect(await check('claims.mkv')).toMatchObject({ ok: false, error: { code: 'unreadable' } })
  })

  it('TRU-01 a movie that an edit list repeats is as long as it plays', async () => {
    await writeFile(at('repeated.mp4'), repeatPicture(await readFile(at('good.mp4')), 8000, 60))
    expect(await lengthOf('repeated.mp4')).toBe(480_000)
  })

  it('TRU-03 an edit list of thousands is refused before a tool has read the file', async () => {
    const noTools = { ...ffmpeg, ffprobePath: at('none'), ffmpegPath: at('none') }
    for (const times of [25_000, 100_000]) {
      await writeFile(at('edits.mp4'), repeatPicture(await readFile(at('good.mp4')), 8000, times))
      expect(await checkUpload(noTools, checkOf('edits.mp4'))).toMatchObject({
        ok: false,
        error: { code: 'unsupported', message: expect.stringContaining('far more than its file') },
      })
    }
  })

  it.each(bottomless)(
    'TRU-03 all tools together end within what the check of a small file has: $name',
    async (file) => {
      const path = at(file.name)
      await writeFile(path, file.make(await readFile(at('good.mp4'))))
      const tools = await toolsForCheck(ffmpeg, path)
      const result = await checkUpload(tools, checkOf(file.name))
      expect(result).toMatchObject({
        ok: false,
        error: { message: expect.stringMatching(file.refusal) },
      })
      // One look at the clock of the system later than its end, at most.
      const { cpuSeconds } = checkLimits((await stat(path)).size)
      expect(tools.allowance?.usedSeconds()).toBeLessThan(cpuSeconds + 2)
    },
  )

  it('TRU-03 a slow check that may not go on ends at once, and one that may goes on', async () => {
    const asked: boolean[] = []
    const withAllowance = (mayGoOn: boolean): Ffmpeg => {
      const ask = (): boolean => asked.push(mayGoOn) > 0 && mayGoOn
      return {
        ...ffmpeg,
        allowance: createAllowance({ cpuSeconds: 24, quickSeconds: 0, mayGoOn: ask }),
      }
    }
    const check = checkOf('good.mp4')
    await expect(checkUpload(withAllowance(false), check)).rejects.toBeInstanceOf(GaveWay)
    expect(await checkUpload(withAllowance(true), check)).toMatchObject({ ok: true })
    expect(asked).toEqual([false, true])
  })

  it('TRU-01 exactly N minutes are N, with sound that outlasts the picture, in each kind of container', async () => {
    // 1 and 10 minutes of the same 20 seconds.
    for (const [name, minutes] of [
      ['minutes.mp4', 1],
      ['minutes.mov', 10],
      ['minutes.ts', 1],
    ] as const) {
      await makeMinutes(at(name), minutes)
      const lengthMs = await lengthOf(name)
      expect(usageUnits('source-video-minutes', lengthMs), `${name}: ${lengthMs} ms`).toBe(minutes)
      expect(lengthMs).toBeGreaterThan(minutes * 60_000 - 50)
    }
  })

  it('TRU-01 SRC-02 a render ends with the length that was planned, and another result fails its check', async () => {
    const recipe = findRecipe('dynamic-watermark')
    await makeClip(at('short.mp4'), 4, { size: '160x90' })
    const probed = await probeFile(
      ffmpeg,
      at('short.mp4'),
      'short.mp4',
      dir,
      AbortSignal.timeout(patience(30)),
    )
    if (!probed.ok) throw new Error(probed.error.detail)
    const { source } = probed.value
    const plan = recipe?.plan(
      source,
      { text: '@name' },
      { moments: [], assets: [], secret: SECRET },
    )
    if (plan?.ok !== true) throw new Error('no plan')
    const [output] = plan.value.outputs
    if (output === undefined) throw new Error('no output')
    const signal = AbortSignal.timeout(patience(60))
    const result = at(output.name)
    const plannedMs = plannedResultMs(plan.value, output.name)
    await writeFile(at('repeated.mp4'), repeatPicture(await readFile(at('short.mp4')), 4000, 60))
    // What is longer than its plan says stands in for a measure that ffmpeg does not share.
    for (const [name, isLonger] of [
      ['short.mp4', false],
      ['repeated.mp4', true],
    ] as const) {
      const places = { source: at(name), folder: dir, assetPaths: new Map() }
      const unbound = { ...source, durationMs: isLonger ? 60_000 : source.durationMs }
      expect(
        await renderPlan(
          ffmpeg,
          plan.value,
          { source: unbound, assets: [] },
          places,
          signal,
          () => {},
        ),
      ).toMatchObject({
        ok: true,
      })
      const check = async (ms: number | null) =>
        await checkOutputs(ffmpeg, [{ output, plannedMs: ms, path: result }], { cwd: dir, signal })
      expect(await check(plannedMs)).toMatchObject(
        isLonger
          ? { ok: false, error: expect.stringMatching(/lasts 5\d{3} ms, at most 4500 ms/) }
          : { ok: true, value: [{ facts: { durationMs: 4000 } }] },
      )
      if (!isLonger)
        expect(await check(4500)).toMatchObject({
          ok: false,
          error: expect.stringContaining('has a picture of 4000 ms, at least 4250 ms'),
        })
    }
  })

  it('REC-27 of a pack of images the one that cannot be shown is named', async () => {
    const images = '-v error -f lavfi -i testsrc2=s=64x36 -frames:v 2'.split(' ')
    execFileSync('ffmpeg', [...images, at('pack-%d.png')])
    await writeFile(at('pack-3.png'), 'no picture at all')
    const check = async (...numbers: readonly number[]) =>
      await checkOutputs(
        ffmpeg,
        numbers.map((number) => ({
          output: {
            name: `pack-${number}.png`,
            buttonText: '',
            fileName: `pack-${number}.png`,
            contentType: 'image/png',
            kind: 'image',
          },
          plannedMs: null,
          path: at(`pack-${number}.png`),
        })),
        { cwd: dir, signal: AbortSignal.timeout(patience(60)) },
      )
    const facts = { widthPx: 64, heightPx: 36, durationMs: null }
    expect(await check(1, 2)).toMatchObject({ ok: true, value: [{ facts }, { facts }] })
    expect(await check(1, 3, 2)).toMatchObject({
      ok: false,
      error: expect.stringContaining('pack-3.png'),
    })
    expect(await check(1, 4)).toEqual({ ok: false, error: 'pack-4.png is empty' })
  })

  it('TRU-01 REC-27 a stream whose clock starts again is refused with a sentence', async () => {
    await repack('once.ts', 'good.mp4')
    const once = await readFile(at('once.ts'))
    await writeFile(at('again.ts'), Buffer.concat([once, once, once]))
    const result = await check('again.ts')
    expect(result).toMatchObject({ ok: false, error: { code: 'unreadable' } })
    expect(result.ok ? '' : result.error.message).toMatch(/clock of this video starts again/)
  })

  it('TRU-01 a stream whose clock jumps ahead is refused: its gap would be priced and not made', async () => {
    await repack('once.ts', 'good.mp4')
    await repack('later.ts', 'once.ts', '-output_ts_offset', '18000')
    const parts = await Promise.all(['once.ts', 'later.ts'].map((name) => readFile(at(name))))
    await writeFile(at('jumps.ts'), Buffer.concat(parts))
    const result = await check('jumps.ts')
    expect(result).toMatchObject({ ok: false, error: { code: 'unreadable' } })
    expect(result.ok ? '' : result.error.message).toMatch(/clock of this video jumps ahead/)
  })
})

/** The length of a file that is accepted. */
async function lengthOf(name: string): Promise<number> {
  const result = await check(name)
  if (!result.ok) throw new Error(`${result.error.message} ${result.error.detail}`)
  return result.value.probe.source.durationMs
}

describe('TRU-01 what a video may cost', () => {
  it.each([
    ['a picture of 36 megapixels', '8192x4400', 4, /larger than 8K/],
    ['large pictures that say nothing', '4096x4096', 50, /than its file has data for/],
  ])('TRU-01 %s in a tiny file is refused: %s', async (_title, size, rate, words) => {
    const source = `color=black:size=${size}:rate=${rate}:duration=0.6`
    await copyFile(await keptClip('tiny.gif', ['-f', 'lavfi', '-i', source]), at('tiny.gif'))
    expect((await stat(at('tiny.gif'))).size).toBeLessThan(200_000)
    const result = await check('tiny.gif')
    expect(result).toMatchObject({ ok: false, error: { code: 'too-large' } })
    expect(result.ok ? '' : result.error.message).toMatch(words)
  })

  it('TRU-01 pictures are counted, whatever rate the file notes', async () => {
    await repack('slow.mkv', 'good.mp4', '-an')
    const bytes = await readFile(at('slow.mkv'))
    // `DefaultDuration` of the track (RFC 9559, 5.1.4.1.13), in nanoseconds.
    bytes.writeUInt32BE(1_000_000_000, bytes.indexOf(Buffer.from('23e38384', 'hex')) + 4)
    await writeFile(at('slow.mkv'), bytes)
    const result = await check('slow.mkv')
    if (!result.ok) throw new Error(result.error.detail)
    expect(result.value.probe.source.frameRate).toBeGreaterThan(20)
  })
})

describe('runs of ffmpeg', () => {
  it('opens no playlist, whatever the plan says', async () => {
    await writeFile(at('plan.m3u8'), `#EXTM3U\n#EXTINF:1,\n${at('good.mp4')}\n#EXT-X-ENDLIST\n`)
    const result = await runFfmpeg(ffmpeg, {
      inputs: [{ from: { kind: 'source' } }],
      args: ['-frames:v', '1', '-f', 'null', '-'],
      pathOf: () => at('plan.m3u8'),
      cwd: dir,
      signal: AbortSignal.timeout(patience(10)),
      outputDurationMs: 0,
      timeoutMs: 10_000,
      maxFileBytes: 1e6,
      cpuSeconds: 10,
    })
    expect(result).toMatchObject({ ok: false, error: { code: 'media/failed' } })
  })

  it('guards every input of a user and leaves generated ones alone', () => {
    const guarded = printArgs(
      {
        inputs: [
          { from: { kind: 'source' }, seekMs: 1000 },
          { from: { kind: 'asset', id: 'a' } },
          { from: { kind: 'scratch', name: 'list' }, flags: ['-f', 'concat'] },
        ],
        args: ['-f', 'lavfi', '-i', 'color=black', 'out'],
      },
      ({ kind }) => kind,
      inputGuard,
    )
    expect(guarded.filter((arg) => arg === '-protocol_whitelist')).toHaveLength(3)
    expect(guarded.filter((arg) => arg === '-format_whitelist')).toHaveLength(2)
    expect(guarded.lastIndexOf('-protocol_whitelist')).toBeLessThan(guarded.indexOf('color=black'))
  })

  it('reports progress that never falls, ends within its limits and is killed on abort', async () => {
    const ratios: number[] = []
    const common = {
      pathOf: () => at('good.mp4'),
      cwd: dir,
      signal: new AbortController().signal,
      outputDurationMs: 8000,
      timeoutMs: 180_000,
      maxFileBytes: 1e8,
      cpuSeconds: 30,
    }
    const done = await runFfmpeg(ffmpeg, {
      ...common,
      inputs: [{ from: { kind: 'source' } }],
      args: ['-c:v', 'libx264', '-preset', 'ultrafast', at('again.mp4')],
      onProgress: (ratio) => ratios.push(ratio),
    })
    expect(done).toEqual({ ok: true, value: undefined })
    expect(ratios.at(-1)).toBe(1)
    expect(ratios.toSorted((a, b) => a - b)).toEqual(ratios)
    const endless =
      `-f lavfi -i testsrc2=size=640x360 -preset ultrafast ${at('endless.mp4')}`.split(' ')
    // As fast as it plays, because only its time is meant.
    const slow = ['-re', ...endless]
    expect(
      await runFfmpeg(ffmpeg, { ...common, inputs: [], args: slow, timeoutMs: 300 }),
    ).toMatchObject({
      ok: false,
      error: { code: 'media/timeout' },
    })
    expect(
      await runFfmpeg(ffmpeg, { ...common, inputs: [], args: endless, cpuSeconds: 1 }),
    ).toMatchObject({ ok: false, error: { code: 'media/timeout' } })
    expect(
      await runFfmpeg(ffmpeg, { ...common, inputs: [], args: endless, maxFileBytes: 100_000 }),
    ).toMatchObject({ ok: false, error: { code: 'media/failed' } })
    await expect(
      runFfmpeg(ffmpeg, { ...common, inputs: [], args: slow, signal: AbortSignal.timeout(300) }),
    ).rejects.toMatchObject({ name: 'TimeoutError' })
  })
})

async function makeSound(path: string): Promise<void> {
  execFileSync('ffmpeg', [
    '-v',
    'error',
    '-y',
    '-f',
    'lavfi',
    '-i',
    'sine=duration=3',
    '-c:a',
    'aac',
    '-f',
    'mp4',
    path,
  ])
}

async function makePicture(path: string): Promise<void> {
  execFileSync('ffmpeg', [
    '-v',
    'error',
    '-y',
    '-f',
    'lavfi',
    '-i',
    'testsrc2=size=320x180',
    '-frames:v',
    '1',
    '-c:v',
    'png',
    '-f',
    'image2',
    '-update',
    '1',
    path,
  ])
}
