import { expect, it } from 'vitest'
import { expectJoined, FEW_ODD_INTROS } from '#tests/setup/odd-intros.ts'

it('REC-06 joins odd intros without a jump: each flash is where it belongs, and its beep with it', async () => {
  await expect(expectJoined(FEW_ODD_INTROS)).resolves.toBeUndefined()
})
