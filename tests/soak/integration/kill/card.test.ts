import { afterAll, beforeAll, it } from 'vitest'
import { placeOrder, startCardKills, type CardKills } from '#tests/integration/kill/card-kills.ts'
import { crash, createChance, type Chance } from '#tests/integration/kill/crash-harness.ts'

let kills: CardKills
beforeAll(async () => {
  kills = await startCardKills()
})
afterAll(() => kills.dispose())

/** The steps of a card payment, each by the statement after which the server dies. */
const STEPS: readonly (readonly [string, RegExp])[] = [
  ['our row of the session', /^insert into "checkout_sessions"/],
  ["the provider's session", /^insert into "test_payments"/],
  ["the id of the provider's session", /^update "checkout_sessions" set "provider_session_id"/],
  ['the money at the provider', /^update "test_payments"/],
  ['the notice of it', /^insert into "payment_events"/],
  ['the tokens, uncommitted', /^insert into "wallet_transactions"/],
  ['the paid order, uncommitted', /^update "orders" set "status"/],
]
/** Others repeat each step: `ONECUT_CARD_KILLS=10`. */
const TIMES = Number(process.env['ONECUT_CARD_KILLS'] ?? 1)

it.each(
  STEPS.flatMap(([step, statement]) =>
    Array.from({ length: TIMES }, (_, time) => ({ step, statement, time })),
  ),
)(
  'ORD-06 a card pays an order once when the server dies after $step (time $time)',
  async ({ statement }) => {
    const order = await placeOrder(await kills.person())
    const { revived } = await kills.dieAfter(statement)
    const session = await kills.payByCard(order)
    await revived
    await kills.expectPaidOnce(order, session)
  },
)

it.each([
  { seed: 6102, during: 'opening' },
  { seed: 6104, during: 'paying' },
  { seed: 6106, during: 'booking' },
] as const)(
  'ORD-06 a card pays an order once when the server is killed (seed $seed, with its database, during the $during)',
  async ({ seed, during }) => {
    const order = await placeOrder(await kills.person())
    let killed = Promise.resolve()
    const strikeIn = (step: typeof during) => () => {
      if (step === during) killed = strike(createChance(seed))
    }
    strikeIn('opening')()
    const session = await kills.payByCard(order, strikeIn('paying'))
    strikeIn('booking')()
    await killed
    await kills.expectPaidOnce(order, session)
  },
)

async function strike(chance: Chance): Promise<void> {
  await chance.moment(30)
  await crash(kills.server, { withDatabase: true })
  await kills.server.start()
}
