import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, vi } from 'vitest'
import type { components } from '#openapi/schema.gen.ts'
import { armDeath } from '#tests/setup/arm-death.ts'
import type { TestAnswer, TestClient } from '#tests/setup/client.ts'
import { startE2eServer, type E2eServer } from '#tests/setup/e2e-server.ts'
import { signUpAt } from '#tests/setup/e2e-sign-up.ts'
import { attestation } from '#tests/setup/order.ts'
import { patience } from '#tests/setup/patience.ts'
import type { Checkout } from '#tests/setup/payments.ts'
import { beginUpload } from '#tests/setup/upload.ts'
import { crash, untilAnswered } from './crash-harness.ts'

export type Order = components['schemas']['Order']
type Transaction = components['schemas']['WalletCoinTransaction']

const SESSIONS = '/v1/payments/wallet-coin-transactions/stripe/checkout-sessions'
/** The page that waits is answered from the provider at most every 5 s, on the server's clock. */
const BOOKED_WITHIN_MS = 30_000
/** An account may begin a few uploads and payments only. */
const ORDERS_OF_ONE = 12

/** A server that dies while orders are paid. */
export interface CardKills {
  readonly server: E2eServer
  /**
   * Tells the server to kill itself right after its next statement of this kind. `revived` ends
   * when it has started again.
   */
  dieAfter(
    statement: RegExp,
    options?: { withDatabase: boolean },
  ): Promise<{ readonly revived: Promise<void> }>
  /** A person with at most a few orders so far. */
  person(): Promise<Person>
  /** Opens the page of the provider for an order and presses "pay" there. */
  payByCard(order: Order, onOpened?: () => void): Promise<Checkout>
  /** Of the wallet, one purchase; of the order, one payment. */
  expectPaidOnce(order: Order, session: Checkout): Promise<void>
  dispose(): Promise<void>
}

/** An account that buys. */
interface Person {
  readonly client: TestClient
  readonly walletId: string
  /** Purchases by card so far. */
  bought: number
}

/** Starts a server that can be told to die. */
export async function startCardKills(): Promise<CardKills> {
  const folder = await mkdtemp(join(tmpdir(), 'onecut-card-'))
  const statementFile = join(folder, 'statement')
  const server = await startE2eServer(
    { ONECUT_TEST_DIE_AT: statementFile, ONECUT_FRAME_ORIGIN: 'none' },
    'tests/setup/dying-server.ts',
  )
  let last: Person | null = null
  const person = async (): Promise<Person> => {
    if (last === null || last.bought === ORDERS_OF_ONE) last = await newPerson(server)
    return last
  }
  return {
    server,
    person,
    async dieAfter(statement, { withDatabase } = { withDatabase: false }) {
      const pid = server.pid() ?? 0
      await armDeath(pid, statementFile, statement)
      const revive = async (): Promise<void> => {
        await vi.waitUntil(() => isOver(pid), { timeout: patience(60), interval: 20 })
        await crash(server, { withDatabase })
        await server.start()
      }
      return { revived: revive() }
    },
    async payByCard(order, onOpened = () => undefined) {
      const buyer = await person()
      const session = await open(buyer, order)
      onOpened()
      await press(buyer, session)
      return session
    },
    expectPaidOnce: async (order, session) =>
      await expectBookedOnce(await person(), order, session),
    async dispose() {
      await server.dispose()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** An order of an upload that is still to come: nothing starts, so only the order moves tokens. */
export async function placeOrder({ client }: Person): Promise<Order> {
  const mediaJobId = await requestEdit(client)
  const placed = await client.post<{ order: Order }>('/v1/orders', {
    order: { mediaJobId, attestation },
  })
  return placed.body.order
}

/** The id of a job without an order. */
export async function requestEdit(client: TestClient): Promise<string> {
  const upload = await beginUpload(client, 1000)
  const job = await client.post<{ mediaJob: { _id: string } }>('/v2/media-jobs', {
    mediaJob: {
      uploadRequestId: upload._id,
      mediaJobTaskRequests: [{ mediaJobTaskPresetSlug: 'still-pack' }],
    },
  })
  return job.body.mediaJob._id
}

/** All movements of the person's wallet. */
export async function transactionsOf({ client, walletId }: Person): Promise<Transaction[]> {
  const { body } = await client.get<{ walletCoinTransactions: Transaction[] }>(
    `/v1/wallets/${walletId}/wallet-coin-transactions`,
  )
  return body.walletCoinTransactions
}

/** Asks again while no server answers or it is only starting. */
export async function answered<T>(call: () => Promise<TestAnswer<T>>): Promise<TestAnswer<T>> {
  return await untilAnswered(call, ({ status }) => status < 500)
}

async function newPerson(server: E2eServer): Promise<Person> {
  const { client } = await signUpAt(server)
  const { body } = await client.get<{ wallets: { _id: string }[] }>('/v1/wallets')
  return { client, walletId: body.wallets[0]?._id ?? '', bought: 0 }
}

async function open({ client, walletId }: Person, order: Order): Promise<Checkout> {
  const body = {
    walletId,
    orderId: order._id,
    stripeCheckoutSession: { coinAmount: order.remainingPayableCoinAmount },
  }
  const headers = { 'idempotency-key': `card-${order._id}` }
  const opened = await answered(() =>
    client.post<{ stripeCheckoutSession: Checkout }>(SESSIONS, body, { headers }),
  )
  return opened.body.stripeCheckoutSession
}

async function press({ client }: Person, { payUrl }: Checkout): Promise<void> {
  const form = new URLSearchParams({ press: 'pay', delivery: 'twice' })
  await answered(() => client.post(payUrl, form))
}

async function expectBookedOnce(buyer: Person, order: Order, session: Checkout): Promise<void> {
  const { client } = buyer
  const look = async (): Promise<Checkout> =>
    (
      await answered(() =>
        client.get<{ stripeCheckoutSession: Checkout }>(`${SESSIONS}/${session._id}`),
      )
    ).body.stripeCheckoutSession
  await expect.poll(async () => (await look()).payment, { timeout: BOOKED_WITHIN_MS }).toBe('paid')
  expect(await look()).toMatchObject({ status: 'complete', payment: 'paid' })
  const paid = await answered(() => client.get<{ order: Order }>(`/v1/orders/${order._id}`))
  expect(paid.body.order).toMatchObject({ isFullyPaid: true, remainingPayableCoinAmount: 0 })
  const history = await transactionsOf(buyer)
  expect(history.filter(({ orderId }) => orderId === order._id)).toHaveLength(1)
  buyer.bought += 1
  expect(history.filter(({ kind }) => kind === 'purchase')).toHaveLength(buyer.bought)
}

function isOver(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return false
  } catch {
    return true
  }
}
