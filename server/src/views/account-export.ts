import type { Readable } from 'node:stream'
import type { PaymentRow } from '#server/db/rows.ts'
import { streamArchive } from '#server/media/archive.ts'
import type { AccountFacts } from '#server/operations/workflows/account-export.ts'
import { viewMediaAsset } from './media-asset.ts'
import { viewMediaJob } from './media-job.ts'
import { viewOrder } from './order.ts'
import { viewDriveSave } from './drive-save.ts'
import { viewExternalAuth } from './external-auth.ts'
import { viewPasskey } from './passkey.ts'
import { receiptPdf } from './receipt-pdf.ts'
import { viewOrderReceipt, viewPaymentReceipt } from './receipt.ts'
import { viewRedemption, viewReferralCode } from './referral.ts'
import { viewSession } from './session.ts'
import { viewPaymentMethod, viewSubscription } from './subscription.ts'
import { viewUploadRequest } from './upload-request.ts'
import { viewFlags, viewProfile, viewUser } from './user.ts'
import { viewEditSet } from './edit-set.ts'
import { viewTransaction, viewWallet } from './wallet.ts'

/** A file of an archive; its bytes are made when they are read. */
interface ExportedFile {
  readonly name: string
  readonly chunks: AsyncIterable<string | Uint8Array>
}

const README = `Everything that Onecut stores about your account.

account.json               your address, profession and permissions
devices.json               where you are signed in
external-auths.json        the drives that you connected; what opens them is not in here
passkeys.json              what you log in with beside your mail; their secrets never reach us
push-subscriptions.json    the devices that are told what comes of your edits, and by whose service
edit-sets.json             the sets of edits that you saved
wallets.json               your wallets
wallet-transactions.json   every movement of tokens
payments.json              your payments; their receipts are in the folder receipts
subscriptions.json         your subscriptions
payment-methods.json       what they are billed by; card numbers never reach us
orders.json                your orders; their receipts are in the folder receipts
uploads.json               your videos: names, sizes, what was measured
media-jobs.json            your edits, with the links of their files (log in first)
attestations.json          what you confirmed at the first order of each video, with its text's SHA-256
face-findings.json         where faces were found in your videos, and when
drive-saves.json           which files of your edits were saved to a drive of yours
face-reviews.json          what you decided of them, for each edit
media-assets.json          your intros, logos and sounds
referral-codes.json        your referral codes
referral-redemption.json   the code that you have redeemed
mails.json                 mails of the last 30 days: subject and time

Times are UTC, amounts are whole tokens or whole cents, durations are milliseconds.
`

/** An export as a ZIP archive, made while it is read. */
export function exportArchive(facts: AccountFacts): Readable {
  return streamArchive(exportFiles(facts))
}

/** The files of an export, in the shapes of the contract, which show no secrets. */
async function* exportFiles(facts: AccountFacts): AsyncGenerator<ExportedFile> {
  yield { name: 'README.txt', chunks: onceOf(README) }
  yield json('account', {
    user: viewUser(facts.me),
    userProfile: viewProfile(facts.me.user),
    flags: viewFlags(facts.me),
  })
  yield json(
    'devices',
    facts.sessions.map((session) => viewSession(session, null)),
  )
  yield json('passkeys', facts.passkeys.map(viewPasskey))
  yield json(
    'push-subscriptions',
    // The rest of an address is a secret of the device.
    facts.pushSubscriptions.map(({ sessionId, endpoint, createdAt, lastOkAt }) => ({
      sessionId,
      service: new URL(endpoint).host,
      createdAt,
      lastOkAt,
    })),
  )
  yield json('external-auths', facts.externalAuths.map(viewExternalAuth))
  yield json('edit-sets', facts.editSets.map(viewEditSet))
  yield json('wallets', facts.wallets.map(viewWallet))
  yield list('wallet-transactions', facts.transactions, viewTransaction)
  yield list('payments', facts.payments, viewPaidRow)
  yield json('subscriptions', facts.subscriptions.map(viewSubscription))
  yield json('payment-methods', facts.paymentMethods.map(viewPaymentMethod))
  yield list('orders', facts.orders, viewOrder)
  yield list('uploads', facts.uploads, viewUploadRequest)
  yield list('media-jobs', facts.jobs, viewMediaJob)
  yield list('drive-saves', facts.driveSaves, viewDriveSave)
  yield list('attestations', facts.attestations, (attestation) => attestation)
  yield list('face-findings', facts.faceFindings, ({ uploadRequestId, finding, foundAt }) => ({
    uploadRequestId,
    foundAt,
    finding,
  }))
  yield list('face-reviews', facts.faceReviews, ({ taskId, decisions, savedAt }) => ({
    mediaJobTaskId: taskId,
    savedAt,
    decisions,
  }))
  yield list('media-assets', facts.assets, viewMediaAsset)
  yield json('referral-codes', facts.referralCodes.map(viewReferralCode))
  yield json(
    'referral-redemption',
    facts.redemption === null ? null : viewRedemption(facts.redemption),
  )
  yield list('mails', facts.mails, (mail) => mail)
  yield* receipts(facts)
}

async function* receipts({ payments, orders }: AccountFacts): AsyncGenerator<ExportedFile> {
  for await (const batch of payments)
    for (const row of batch) yield receiptFile(viewPaymentReceipt({ row }))
  for await (const batch of orders)
    for (const order of batch) {
      const receipt = viewOrderReceipt(order)
      if (receipt !== null) yield receiptFile(receipt)
    }
}

function receiptFile(receipt: Parameters<typeof receiptPdf>[0]): ExportedFile {
  return {
    name: `receipts/receipt-${receipt.number}.pdf`,
    chunks: (async function* () {
      yield await receiptPdf(receipt)
    })(),
  }
}

/** A payment as it is stored, without the provider's ids. */
function viewPaidRow(row: PaymentRow) {
  return {
    _id: row.id,
    state: row.state,
    amountCents: row.amountCents,
    taxCents: row.taxCents,
    refundedCents: row.refundedCents,
    currency: row.currency,
    coinAmount: row.coinAmount,
    receiptNumber: row.receiptNumber,
    walletSubscriptionId: row.walletSubscriptionId,
    paidAt: row.paidAt.toISOString(),
    withdrawnAt: row.withdrawnAt?.toISOString() ?? null,
  }
}

function json(name: string, value: unknown): ExportedFile {
  return { name: `${name}.json`, chunks: onceOf(`${JSON.stringify(value, null, 2)}\n`) }
}

function list<T>(
  name: string,
  batches: AsyncIterable<readonly T[]>,
  view: (one: T) => unknown,
): ExportedFile {
  return { name: `${name}.json`, chunks: listChunks(batches, view) }
}

/** A JSON array, one thing in a line. */
async function* listChunks<T>(
  batches: AsyncIterable<readonly T[]>,
  view: (one: T) => unknown,
): AsyncGenerator<string> {
  let lead = '[\n'
  for await (const batch of batches)
    for (const one of batch) {
      yield `${lead}${JSON.stringify(view(one))}`
      lead = ',\n'
    }
  yield lead === '[\n' ? '[]\n' : '\n]\n'
}

async function* onceOf(text: string): AsyncGenerator<string> {
  yield await Promise.resolve(text)
}
