import { keptClip } from '#tests/setup/kept.ts'

const SCENES = [
  'testsrc2',
  'mandelbrot',
  'gradients=c0=0x4020c0:c1=0xe040a0:n=2:speed=0.02:seed=1',
  'smptebars',
  'cellauto=rule=110:random_seed=1',
  'color=black',
] as const

/** How long each scene of the clip is. */
export const SCENE_S = 5
/** How long the clip is; its last scene, which is black, begins `SCENE_S` before its end. */
export const SCENES_S = SCENES.length * SCENE_S

/**
 * A clip of six scenes, each with its own tone; the last one is black. It carries a
 * title and a place, which no output may keep. Its sources have seeds: some random gradients have a
 * cut that no large packet marks, and its moment begins up to a sixth of a second early.
 */
export async function sceneClip({ size = '320x180', rate = 30 } = {}): Promise<string> {
  const pictures = SCENES.flatMap((scene) => [
    '-f',
    'lavfi',
    '-i',
    `${scene}${scene.includes('=') ? ':' : '='}s=${size}:r=${rate},trim=duration=${SCENE_S}`,
  ])
  const tones = SCENES.flatMap((_, index) => [
    '-f',
    'lavfi',
    '-i',
    `sine=f=${220 + index * 110}:d=${SCENE_S}:r=48000`,
  ])
  const pairs = SCENES.map((_, index) => `[p${index}][${SCENES.length + index}:a]`).join('')
  const pixels = SCENES.map((_, index) => `[${index}:v]format=yuv420p,setsar=1[p${index}];`).join(
    '',
  )
  return await keptClip('scenes.mp4', [
    ...pictures,
    ...tones,
    '-filter_complex',
    `${pixels}${pairs}concat=n=${SCENES.length}:v=1:a=1[v0][a];[v0]noise=alls=2:allf=t[v]`,
    '-map',
    '[v]',
    '-map',
    '[a]',
    '-ac',
    '2',
    '-c:v',
    'libx264',
    '-preset',
    'superfast',
    '-crf',
    '26',
    '-g',
    '60',
    '-c:a',
    'aac',
    '-metadata',
    'title=private title',
    '-metadata',
    'location=+52.5200+013.4050/',
  ])
}
