import { expect, it } from 'vitest'
import { expectJoined, ODD_INTROS } from '#tests/setup/odd-intros.ts'

it('REC-06 joins every odd intro without a jump: each flash is where it belongs, and its beep with it', async () => {
  await expect(expectJoined(Object.keys(ODD_INTROS))).resolves.toBeUndefined()
})
