/** Rows as the tables give them; `New…` is what an insert takes. */
import type {
  attestations,
  checkoutSessions,
  driveSaves,
  editSets,
  externalAuths,
  faceFindings,
  samples,
  faceReviews,
  magicLinks,
  mails,
  mediaAssets,
  mediaJobs,
  mediaJobTasks,
  orderLineItems,
  orders,
  passkeys,
  payments,
  presets,
  pushes,
  pushSubscriptions,
  referralCodes,
  renderSpeeds,
  reports,
  reportSteps,
  securityEvents,
  sessions,
  storedPaymentMethods,
  taskOutputs,
  taskSegments,
  uploadImports,
  uploadRequests,
  users,
  walletTransactions,
  wallets,
  walletSubscriptions,
} from './schema.ts'

export type UserRow = typeof users.$inferSelect
export type SessionRow = typeof sessions.$inferSelect
export type SecurityEventRow = typeof securityEvents.$inferSelect
export type PasskeyRow = typeof passkeys.$inferSelect
export type LinkRow = typeof magicLinks.$inferSelect
export type MailRow = typeof mails.$inferSelect
export type PresetRow = typeof presets.$inferSelect
export type UploadRow = typeof uploadRequests.$inferSelect
export type ImportRow = typeof uploadImports.$inferSelect
/** A connected drive. */
export type ExternalAuthRow = typeof externalAuths.$inferSelect
/** A file of an edit on its way to a drive, or there. */
export type DriveSaveRow = typeof driveSaves.$inferSelect
export type AssetRow = typeof mediaAssets.$inferSelect
export type EditSetRow = typeof editSets.$inferSelect
export type AttestationRow = typeof attestations.$inferSelect
export type SampleRow = typeof samples.$inferSelect
export type FaceFindingRow = typeof faceFindings.$inferSelect
export type SegmentRow = typeof taskSegments.$inferSelect
export type FaceReviewRow = typeof faceReviews.$inferSelect
/** What an account is told of by a notice that has a mail of its own. */
export type NoticeKind = (typeof users.$inferSelect)['noticesOff'][number]
/** Of what an account's devices are told. */
export type PushKind = (typeof users.$inferSelect)['pushesOff'][number]
export type PushSubscriptionRow = typeof pushSubscriptions.$inferSelect
export type PushRow = typeof pushes.$inferSelect
export type ReportRow = typeof reports.$inferSelect
export type ReportStepRow = typeof reportSteps.$inferSelect
export type JobRow = typeof mediaJobs.$inferSelect
export type TaskRow = typeof mediaJobTasks.$inferSelect
export type RenderSpeedRow = typeof renderSpeeds.$inferSelect
export type OutputRow = typeof taskOutputs.$inferSelect
export type NewOutput = typeof taskOutputs.$inferInsert
export type OrderRow = typeof orders.$inferSelect
export type LineItemRow = typeof orderLineItems.$inferSelect
export type NewLineItem = typeof orderLineItems.$inferInsert
export type WalletRow = typeof wallets.$inferSelect
export type TransactionRow = typeof walletTransactions.$inferSelect
export type ReferralCodeRow = typeof referralCodes.$inferSelect
export type CheckoutRow = typeof checkoutSessions.$inferSelect
export type PaymentRow = typeof payments.$inferSelect
export type PaymentMethodRow = typeof storedPaymentMethods.$inferSelect
export type SubscriptionRow = typeof walletSubscriptions.$inferSelect
