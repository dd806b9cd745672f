import { authCases } from '#tests/contract/cases/auth.ts'
import { driveSaveCases } from '#tests/contract/cases/drive-saves.ts'
import { editSetCases } from '#tests/contract/cases/edit-sets.ts'
import { externalAuthCases } from '#tests/contract/cases/external-auths.ts'
import { faceReviewCases } from '#tests/contract/cases/face-reviews.ts'
import { mediaAssetCases } from '#tests/contract/cases/media-assets.ts'
import { mediaJobCases } from '#tests/contract/cases/media-jobs.ts'
import type { OperationCases } from '#tests/contract/cases/operation-case.ts'
import { orderCases } from '#tests/contract/cases/orders.ts'
import { paymentCases } from '#tests/contract/cases/payments.ts'
import { referralCases } from '#tests/contract/cases/referrals.ts'
import { reportCases } from '#tests/contract/cases/reports.ts'
import { storageCases } from '#tests/contract/cases/storage.ts'
import { systemCases } from '#tests/contract/cases/system.ts'
import { uploadCases } from '#tests/contract/cases/uploads.ts'
import { userCases } from '#tests/contract/cases/users.ts'
import { walletCases } from '#tests/contract/cases/wallets.ts'

/** Every case; a new area adds its file here. */
export const allCases: OperationCases = {
  ...authCases,
  ...driveSaveCases,
  ...editSetCases,
  ...externalAuthCases,
  ...faceReviewCases,
  ...mediaAssetCases,
  ...mediaJobCases,
  ...orderCases,
  ...paymentCases,
  ...referralCases,
  ...reportCases,
  ...storageCases,
  ...systemCases,
  ...uploadCases,
  ...userCases,
  ...walletCases,
}
