import type { components } from '#openapi/schema.gen.ts'
import type {
  MediaAssetRow,
  MediaJobRow,
  OrderRow,
  PresetRow,
  WalletRow,
  WalletTransactionRow,
} from './rows.ts'

type Schemas = components['schemas']

/**
 * [Note: age of an answer] `pulledAtEpochMs` is when the request was *sent*; for a write, when it
 * was *answered*. So an answer that a newer one overtook (a slow list after a payment) loses in
 * `putUnlessNewer`.
 */
export function mediaJobToRow(value: Schemas['MediaJob'], pulledAtEpochMs: number): MediaJobRow {
  return {
    _id: value._id,
    value,
    pulledAtEpochMs,
    name: value.name,
    createdAt: value.createdAt,
    uploadRequestId: value.uploadRequestId,
  }
}

/** See [Note: age of an answer]. */
export function orderToRow(value: Schemas['Order'], pulledAtEpochMs: number): OrderRow {
  return { _id: value._id, value, pulledAtEpochMs, mediaJobId: value.mediaJobId }
}

/** See [Note: age of an answer]. */
export function walletToRow(value: Schemas['Wallet'], pulledAtEpochMs: number): WalletRow {
  return { _id: value._id, value, pulledAtEpochMs }
}

/** See [Note: age of an answer]. */
export function walletTransactionToRow(
  value: Schemas['WalletCoinTransaction'],
  pulledAtEpochMs: number,
): WalletTransactionRow {
  return {
    _id: value._id,
    value,
    pulledAtEpochMs,
    walletId: value.walletId,
    createdAt: value.createdAt,
  }
}

/** `position` is the order on screen, starting at 0. */
export function presetToRow(
  value: Schemas['MediaJobTaskPreset'],
  position: number,
  pulledAtEpochMs: number,
): PresetRow {
  return { _id: value._id, value, pulledAtEpochMs, slug: value.slug, position }
}

/** See [Note: age of an answer]. */
export function mediaAssetToRow(
  value: Schemas['MediaAsset'],
  pulledAtEpochMs: number,
): MediaAssetRow {
  return { _id: value._id, value, pulledAtEpochMs, createdAt: value.createdAt }
}
