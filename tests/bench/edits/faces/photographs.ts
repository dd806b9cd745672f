import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** A photograph of the package that the face search takes its weights from. */
export interface Photograph {
  readonly path: string
  /** Where it is 1024 pixels wide. */
  readonly height: number
  /** Left, top, width and height there; from the network at its largest, corrected by eye. */
  readonly faces: readonly (readonly [number, number, number, number])[]
}

const folder = join(
  dirname(createRequire(import.meta.url).resolve('@vladmandic/face-api/package.json')),
  'demo',
)

/** Read from the installed package for measuring only; no file of them is kept here. */
export const photographs: readonly Photograph[] = [
  {
    path: join(folder, 'sample1.jpg'),
    height: 683,
    faces: [
      [218, 197, 92, 119],
      [772, 120, 128, 103],
      [441, 236, 104, 115],
    ],
  },
  {
    path: join(folder, 'sample2.jpg'),
    height: 729,
    faces: [
      [770, 93, 102, 114],
      [184, 78, 81, 134],
      [474, 131, 94, 116],
    ],
  },
  {
    path: join(folder, 'sample3.jpg'),
    height: 720,
    faces: [
      [560, 119, 129, 153],
      [314, 186, 114, 129],
      [782, 167, 117, 135],
    ],
  },
  {
    path: join(folder, 'sample4.jpg'),
    height: 772,
    faces: [
      [526, 109, 86, 109],
      [134, 106, 85, 125],
      [350, 38, 98, 116],
      [679, 83, 72, 116],
    ],
  },
  {
    path: join(folder, 'sample5.jpg'),
    height: 746,
    faces: [
      [415, 62, 85, 109],
      [590, 112, 94, 118],
      [750, 215, 89, 136],
      [313, 231, 96, 117],
      [192, 476, 107, 141],
    ],
  },
  {
    path: join(folder, 'sample6.jpg'),
    height: 820,
    faces: [
      [353, 191, 95, 142],
      [625, 176, 105, 135],
      [787, 143, 116, 156],
      [136, 268, 108, 135],
    ],
  },
]
