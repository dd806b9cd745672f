import { openAsBlob } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { createPacketReader, type PacketSurvey } from '#recipes/analysis-packets.ts'
import { createWeigher } from '#recipes/passage-worth.ts'
import { findRecipe } from '#recipes/presets.ts'
import type { Moment, SourceProbe } from '#recipes/types.ts'
import { openInput } from '#workers/media/open-file.ts'
import { surveyPackets } from '#workers/media/search/survey.ts'
import { keptClip } from './kept.ts'
import { analyse, ffmpeg } from './render-plan.ts'

/** A minute of cuts, black, a title, what moves and what stands, with sound; pictures reordered. */
export async function sceneClip(): Promise<string> {
  const size = 's=320x180:r=25'
  const scenes = [
    `color=c=0x202060:${size}:d=4,drawtext=text='A title of letters':fontsize=32:fontcolor=white:x=20:y=70`,
    `testsrc2=${size}:d=12`,
    `color=c=black:${size}:d=5`,
    `mandelbrot=s=320x180:r=25:start_scale=0.3:end_scale=0.01:maxiter=50,trim=duration=13`,
    `smptehdbars=${size}:d=10`,
    `testsrc=${size}:d=11,hue=H=t`,
    `color=c=black:${size}:d=5`,
  ]
  const graph = scenes.map((scene, at) => `${scene},setsar=1,format=yuv420p[s${at}]`).join(';')
  const joined = `${scenes.map((_, at) => `[s${at}]`).join('')}concat=n=${scenes.length}[v]`
  return await keptClip('scenes.mp4', [
    ...'-f lavfi -i anoisesrc=r=48000:d=60:a=0.2:seed=3'.split(' '),
    '-filter_complex',
    `${graph};${joined};[0:a]tremolo=f=0.7:d=0.9[a]`,
    ...'-map [v] -map [a] -c:v libx264 -preset veryfast -bf 2 -g 60 -c:a aac -ac 2'.split(' '),
  ])
}

/** The same packets in another container. */
export async function repacked(path: string, name: string): Promise<string> {
  return await keptClip(name, ['-i', path, '-c', 'copy'])
}

/** What the server's survey says of a file. */
export async function surveyOfServer(path: string): Promise<PacketSurvey> {
  const reader = createPacketReader()
  const args = ['-map', '0:V:0', '-c', 'copy', '-f', 'framecrc', '-']
  // Where a run reads MPEG-TS from its beginning, the server names the sound too (`onOneClock`).
  const both = ['-map', '0:V:0?', '-map', '0:a:0?', '-c', 'copy', '-f', 'null', '-']
  reader.read(await ffmpeg(['-i', path, ...(path.endsWith('.ts') ? both : []), ...args]))
  return reader.survey()
}

/** What the device's survey says of it, outside of a browser: nothing is decoded for it. */
export async function surveyOfDevice(path: string, durationMs: number): Promise<PacketSurvey> {
  const blob = await openAsBlob(path)
  const input = openInput(new File([blob], basename(path)))
  try {
    const [track] = await input.getVideoTracks()
    if (track === undefined) throw new Error('no picture')
    const startS = Math.max(0, await input.getFirstTimestamp())
    const picture = { track, startS, isIndexed: false, sizeBytes: blob.size }
    return await surveyPackets(picture, durationMs, new AbortController().signal)
  } finally {
    input.dispose()
  }
}

/** What the server finds in a file, without people. */
export async function foundByServer(path: string, source: SourceProbe): Promise<Moment[]> {
  const folder = await mkdtemp(join(tmpdir(), 'onecut-found-'))
  try {
    return await analyse(source, { source: path, folder })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** What a teaser of these moments is worth, weighed by others: the mean of its passages. */
export function worthOfTeaser(
  source: SourceProbe,
  moments: readonly Moment[],
  by: readonly Moment[],
): number {
  const timeline = findRecipe('teaser-15s')?.timeline?.(source, undefined, { moments })
  if (timeline?.ok !== true) throw new Error('no timeline')
  const weigher = createWeigher(by)
  const worths = timeline.value.map(({ startMs, endMs }) => weigher.worth(startMs, endMs - startMs))
  return worths.reduce((sum, worth) => sum + worth, 0) / worths.length
}
