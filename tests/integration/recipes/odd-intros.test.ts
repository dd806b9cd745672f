import { expect, it } from 'vitest'
import { expectJoined, ODD_INTROS } from '#tests/setup/odd-intros.ts'

/** Like others in rate, range or size: the soak joins all. */
const ALIKE: ReadonlySet<string> = new Set([
  'a film rate and another size',
  'pictures of the full range',
  'tiny',
  'long',
])

it('REC-06 joins odd intros without a jump: each flash is where it belongs, and its beep with it', async () => {
  const names = Object.keys(ODD_INTROS).filter((name) => !ALIKE.has(name))
  await expect(expectJoined(names)).resolves.toBeUndefined()
})
