import type { Deps } from '#server/deps.ts'
import type { Handlers, RawAnswer } from '#server/http/handlers.ts'
import { asUser } from '#server/http/request-context.ts'
import { getOrder } from '#server/operations/commerce/orders/list.ts'
import { getPayment } from '#server/operations/commerce/payments/history.ts'
import { Problem } from '#server/problems.ts'
import { receiptPdf, type Receipt } from '#server/views/receipt-pdf.ts'
import { viewOrderReceipt, viewPaymentReceipt } from '#server/views/receipt.ts'
import { contentDisposition } from './byte-range.ts'

/** Receipts of payments and orders as PDF. */
export function createReceiptRoutes(deps: Deps) {
  return {
    getPaymentReceipt: async ({ params, context }) =>
      await sendReceipt(viewPaymentReceipt(await getPayment(asUser(deps, context), params))),
    getOrderReceipt: async ({ params, context }) => {
      const order = await getOrder(asUser(deps, context), { orderId: params.id })
      const receipt = viewOrderReceipt(order)
      if (receipt === null)
        throw new Problem('orders/not-paid', 'This order has no receipt: tokens have not paid it.')
      return await sendReceipt(receipt)
    },
  } satisfies Partial<Handlers>
}

async function sendReceipt(receipt: Receipt): Promise<RawAnswer> {
  const headers = {
    'content-type': 'application/pdf',
    'content-disposition': contentDisposition('attachment', `receipt-${receipt.number}.pdf`),
    'x-content-type-options': 'nosniff',
  }
  return { raw: new Response(await receiptPdf(receipt), { headers }) }
}
