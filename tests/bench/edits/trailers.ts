import { execFile } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { MusicSource } from '#recipes/types.ts'
import { projectRoot } from '#server/project-root.ts'
import { loopChanges } from '#tests/setup/loop-changes.ts'
import type { Figure } from './figure.ts'
import { probed, renderEdit, serverFfmpeg } from '#tests/setup/render-edit.ts'
import {
  brightness,
  clickTrack,
  greyNoiseSource,
  logoSource,
  noiseSource,
  rampSource,
  sceneSource,
} from './trailer-sources.ts'

const run = promisify(execFile)

/** The GIF pack, the thumbnail video, the trailer GIF and the brand trailer. */
export async function* trailers(): AsyncIterable<Figure> {
  yield* gifPack()
  yield* thumbnailVideo()
  yield* trailerGif()
  yield* brandTrailer()
}

/** What Discord takes; X takes more. */
const POST_MB = 10

async function* gifPack(): AsyncIterable<Figure> {
  const edit = 'social-media-gif-pack'
  const ffmpeg = await serverFfmpeg()
  const sources = {
    'scene of 4 min': await sceneSource(30),
    'noise of 40 s': await noiseSource(40, '1280x720'),
    'grey noise of 16 s': await greyNoiseSource(16),
  }
  for (const [name, path] of Object.entries(sources)) {
    const made = await renderEdit(ffmpeg, edit, undefined, path)
    for (const output of made.plan.outputs)
      yield {
        edit,
        of: `size of ${output.name}, ${name}`,
        value: statSync(made.file(output.name)).size / 1e6,
        unit: 'MB',
        bound: { atMost: POST_MB },
      }
    yield { edit, of: `processor time, ${name}`, value: made.cpuSeconds, unit: 's' }
  }
}

async function* brandTrailer(): AsyncIterable<Figure> {
  const edit = 'team-skeet-trailer'
  const ffmpeg = await serverFfmpeg()
  const logo = await logoSource()
  const probe = await probed(ffmpeg, logo)
  const assets = ['in', 'out'].map((id) => ({ id, kind: 'video' as const, probe }))
  const brand = {
    introBrandLogoVideoMediaAssetId: 'in',
    outroBrandLogoVideoMediaAssetId: 'out',
    musicTrackId: 'track',
  }
  const given = (path: string, track: Omit<MusicSource, 'id'>) => ({
    assets,
    music: [{ id: 'track', ...track }],
    paths: {
      assetPaths: new Map(assets.map(({ id }) => [id, logo])),
      musicPaths: new Map([['track', path]]),
    },
  })

  // Brightness tells the place in the source, and each click of the track is heard.
  const clicks = await clickTrack()
  const marked = await renderEdit(
    ffmpeg,
    edit,
    brand,
    await rampSource(),
    given(clicks, { durationMs: 5000, beats: { perMinute: 96, firstMs: 0 } }),
  )
  const file = marked.file('team-skeet-trailer.mp4')
  const frames = await brightness(file)
  const cuts = frames.flatMap((each, index) =>
    Math.abs(each - (frames[index - 1] ?? each)) > 1.5 ? [index / 25] : [],
  )
  const heard = await clickTimes(file)
  const off = cuts
    .filter((at) => at > 2.1 && at < 61.9)
    .map((at) => Math.min(...heard.map((click) => Math.abs(click - at))) * 1000)
  const { source } = marked
  yield {
    edit,
    of: 'length without 4 s of logos',
    value: frames.length / 25 - 4,
    unit: 's',
    bound: { atLeast: 59.96 },
  }
  yield {
    edit,
    of: 'length without 4 s of logos',
    value: frames.length / 25 - 4,
    unit: 's',
    bound: { atMost: 60.04 },
  }
  yield {
    edit,
    of: 'cuts seen within the trailer',
    value: off.length,
    unit: '',
    bound: { atLeast: 12 },
  }
  yield {
    edit,
    of: 'farthest cut from a click that is heard',
    value: Math.max(...off),
    unit: 'ms',
    bound: { atMost: 40 },
  }
  yield {
    edit,
    of: `source of ${source.durationMs / 1000} s: memory`,
    value: marked.peakBytes / 1e6,
    unit: 'MB',
    bound: { atMost: 700 },
  }

  const track = join(projectRoot, 'server/music/night-drive.m4a')
  const music = given(track, { durationMs: 25_000, beats: { perMinute: 96, firstMs: 0 } })
  const scenes = {
    'scene of 4 min': sceneSource(30),
    '96 s of 1080p': sceneSource(12, '1920x1080'),
  }
  for (const [name, scene] of Object.entries(scenes)) {
    const made = await renderEdit(ffmpeg, edit, brand, await scene, music)
    yield* figuresOf(edit, name, made)
  }
}

async function* figuresOf(
  edit: string,
  name: string,
  made: Awaited<ReturnType<typeof renderEdit>>,
): AsyncIterable<Figure> {
  const trailer = made.file('team-skeet-trailer.mp4')
  const { lufs, peak } = await loudness(trailer)
  const of = (what: string): string => `${what}, ${name}`
  yield { edit, of: of('loudness'), value: lufs, unit: 'LUFS', bound: { atLeast: -16.5 } }
  yield { edit, of: of('loudness'), value: lufs, unit: 'LUFS', bound: { atMost: -15.5 } }
  yield { edit, of: of('true peak'), value: peak, unit: 'dBTP', bound: { atMost: -1.5 } }
  yield {
    edit,
    of: of('memory'),
    value: made.peakBytes / 1e6,
    unit: 'MB',
    bound: { atMost: 700 },
  }
  yield {
    edit,
    of: of('processor time for a second of it'),
    value: made.cpuSeconds / 64,
    unit: 's',
  }
  const bright = await brightness(trailer)
  yield {
    edit,
    of: of('frames that are black'),
    value: bright.filter((each) => each < 25).length,
    unit: '',
    bound: { atMost: 0 },
  }
  process.stderr.write(`${trailer}\n`)
}

async function* thumbnailVideo(): AsyncIterable<Figure> {
  const edit = 'team-skeet-thumbnail-video'
  const ffmpeg = await serverFfmpeg()
  const sources = {
    'scene of 4 min': await sceneSource(30),
    'noise of 40 s': await noiseSource(40, '1280x720'),
    'noise of 8 s': await noiseSource(8, '640x360'),
  }
  for (const [name, path] of Object.entries(sources)) {
    const made = await renderEdit(ffmpeg, edit, undefined, path)
    const file = made.file('thumbnail-video.mp4')
    const frames = await brightness(file)
    const seconds = frames.length / 25
    yield {
      edit,
      of: `size, ${name}`,
      value: statSync(file).size / 1000,
      unit: 'kB',
      bound: { atMost: 800 },
    }
    yield { edit, of: `length, ${name}`, value: seconds, unit: 's', bound: { atLeast: 6 } }
    yield { edit, of: `length, ${name}`, value: seconds, unit: 's', bound: { atMost: 10 } }
    yield {
      edit,
      of: `darkest frame, ${name}`,
      value: Math.min(...frames),
      unit: 'of 255',
      bound: { atLeast: 30 },
    }
    yield {
      edit,
      of: `change from the last frame to the first, of the usual change, ${name}`,
      value: seamOf(await loopChanges(file)),
      unit: '',
      bound: { atMost: 2 },
    }
    yield {
      edit,
      of: `processor time, ${name}`,
      value: made.cpuSeconds,
      unit: 's',
      ...(name.includes('noise') ? {} : { bound: { atMost: 10 } }),
    }
    process.stderr.write(`${file}\n`)
  }
}

async function* trailerGif(): AsyncIterable<Figure> {
  const edit = 'short-trailer-gif'
  const ffmpeg = await serverFfmpeg()
  const sources = {
    'scene of 4 min': await sceneSource(30),
    'noise of 40 s': await noiseSource(40, '1280x720'),
    'square noise of 40 s': await noiseSource(40, '720x720'),
  }
  for (const [name, path] of Object.entries(sources)) {
    const made = await renderEdit(ffmpeg, edit, { includeKumshot: true, momentMs: 30_000 }, path)
    const file = made.file('trailer.gif')
    const frames = await brightness(file)
    yield {
      edit,
      of: `size, ${name}`,
      value: statSync(file).size / 1e6,
      unit: 'MB',
      bound: { atMost: 8 },
    }
    yield { edit, of: `frames, ${name}`, value: frames.length, unit: '' }
    yield {
      edit,
      of: `darkest frame, ${name}`,
      value: Math.min(...frames),
      unit: 'of 255',
      bound: { atLeast: 30 },
    }
    yield {
      edit,
      of: `processor time, ${name}`,
      value: made.cpuSeconds,
      unit: 's',
      ...(name.includes('noise') ? {} : { bound: { atMost: 15 } }),
    }
    process.stderr.write(`${file}\n`)
  }
}

/** When the clicks of `clickTrack` begin, in seconds. */
async function clickTimes(path: string): Promise<readonly number[]> {
  const text = await stderrOf(['-i', path, '-af', 'highpass=f=1500,silencedetect=n=-38dB:d=0.15'])
  return [...text.matchAll(/silence_end: ([\d.]+)/g)].map((match) => Number(match[1]))
}

async function loudness(path: string): Promise<{ readonly lufs: number; readonly peak: number }> {
  const text = await stderrOf(['-i', path, '-af', 'ebur128=peak=true'])
  const end = text.slice(text.lastIndexOf('Integrated loudness'))
  return {
    lufs: Number(/I:\s+(-?[\d.]+) LUFS/.exec(end)?.[1]),
    peak: Number(/Peak:\s+(-?[\d.]+) dBFS/.exec(end)?.[1]),
  }
}

async function stderrOf(args: readonly string[]): Promise<string> {
  const { stderr } = await run('ffmpeg', ['-nostdin', '-hide_banner', ...args, '-f', 'null', '-'], {
    maxBuffer: 64 * 1024 * 1024,
  })
  return stderr
}

/** How much more changes from the last picture to the first than between neighbours (median). */
function seamOf(changes: readonly number[]): number {
  const usual = changes.toSorted((a, b) => a - b)[Math.floor(changes.length / 2)] ?? Number.NaN
  return (changes.at(-1) ?? Number.NaN) / usual
}
