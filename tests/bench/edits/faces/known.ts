import { photographs } from '#tests/fixtures/photographs.ts'
import { HEIGHT, type Film, type Pose, type Shot } from './film.ts'

const middle = { x: 512, y: 330 }
const still = (pose: Partial<Pose>) => (): Pose => ({ middle, degrees: 0, scale: 1, ...pose })

const shots: readonly Shot[] = [
  {
    name: 'rolls to the right',
    photograph: 2,
    pose: (share) => ({ middle, degrees: 100 * share, scale: 0.95 }),
  },
  {
    name: 'rolls to the left',
    photograph: 5,
    pose: (share) => ({ middle, degrees: -100 * share, scale: 0.75 }),
  },
  {
    name: 'shrinks',
    photograph: 4,
    pose: (share) => ({ middle, degrees: 0, scale: 1.3 - 0.98 * share }),
  },
  {
    name: 'small',
    photograph: 3,
    pose: (share) => ({ middle: { x: 480 + 60 * share, y: 330 }, degrees: 0, scale: 0.36 }),
  },
  {
    name: 'dark',
    photograph: 0,
    light: 0.3,
    pose: (share) => ({ middle: { x: 420 + 160 * share, y: 300 }, degrees: 8, scale: 0.9 }),
  },
  {
    name: 'an arm crosses',
    photograph: 1,
    pose: still({ scale: 0.9 }),
    bar: (share) => ({ x: -200 + 1500 * share, y: 0, width: 130, height: HEIGHT }),
  },
  {
    name: 'pans',
    photograph: 5,
    pose: (share) => ({
      middle: { x: 512 + 330 * Math.sin(share * 4 * Math.PI), y: 330 },
      degrees: 0,
      scale: 0.8,
    }),
  },
  {
    name: 'lies',
    photograph: 3,
    pose: (share) => ({ middle: { x: 450 + 80 * share, y: 250 }, degrees: 90, scale: 0.8 }),
  },
  {
    name: 'hangs',
    photograph: 2,
    pose: (share) => ({ middle: { x: 480 + 60 * share, y: 250 }, degrees: 175, scale: 0.8 }),
  },
  { name: 'empty', photograph: null, pose: still({}) },
]

/** Photographs on which the rules of the search were set. */
export const known: Film = { name: 'known-1', photographs, shots, shotFrames: 75 }
