import { CHECKOUT_DEFAULT_TOKENS, TOP_UP_MAX_TOKENS } from '#spec/numbers.ts'

/** What the address of the checkout asks for. */
export type CheckoutAddress =
  | { readonly kind: 'invalid'; readonly message: 'walletId is required' | 'coinAmount is invalid' }
  | {
      readonly kind: 'valid'
      readonly walletId: string
      /** 1 to 100,000; whether it can be bought is the server's to say. */
      readonly coinAmount: number
      readonly orderId: string | null
      /** Of a payment to go on with. */
      readonly sessionId: string | null
    }

/** Reads the query as specified (WAL-08): an amount counts only as it would be written back. */
export function readCheckoutAddress(query: URLSearchParams): CheckoutAddress {
  const walletId = query.get('walletId') ?? ''
  if (walletId === '') return { kind: 'invalid', message: 'walletId is required' }
  const coinAmount = readAmount(query.get('coinAmount'))
  if (coinAmount === null) return { kind: 'invalid', message: 'coinAmount is invalid' }
  return {
    kind: 'valid',
    walletId,
    coinAmount,
    orderId: query.get('orderId'),
    sessionId: query.get('stripeCheckoutSessionId'),
  }
}

function readAmount(text: string | null): number | null {
  if (text === null) return CHECKOUT_DEFAULT_TOKENS
  const amount = Number.parseInt(text, 10)
  return String(amount) === text && amount >= 1 && amount <= TOP_UP_MAX_TOKENS ? amount : null
}
