import type { RouteObject } from 'react-router'
import {
  faceReviewPattern,
  flowPatterns,
  olderFlow,
  orderCheckoutPattern,
  paths,
  subscriptionPattern,
  walletPattern,
} from '#src/config/paths.ts'

/** The private screens of the features, behind user and profile guard. Screens are lazy. */
export const featureRoutes: readonly RouteObject[] = [
  {
    // One screen for the steps of the checkout flow: it stays while they change (APP-10).
    path: flowPatterns.root,
    lazy: async () => ({
      Component: (await import('#src/features/upload/UploadFlowScreen.tsx')).UploadFlowScreen,
    }),
    children: [
      { path: paths.newUpload, element: null },
      { path: flowPatterns.newMediaJob, element: null },
      { path: flowPatterns.mediaJobStatus, element: null },
      { path: flowPatterns.uploadCheckout, element: null },
      { path: flowPatterns.makeAgain, element: null },
    ],
  },
  {
    path: olderFlow.select,
    lazy: async () => ({
      Component: (await import('#src/features/upload/older/SelectPresetsScreen.tsx'))
        .SelectPresetsScreen,
    }),
  },
  ...optionPages(),
  {
    path: paths.edits,
    lazy: async () => ({
      Component: (await import('#src/features/edits/EditsScreen.tsx')).EditsScreen,
    }),
  },
  {
    path: faceReviewPattern,
    lazy: async () => ({
      Component: (await import('#src/features/media-jobs/FaceReviewScreen.tsx')).FaceReviewScreen,
    }),
  },
  {
    path: paths.mediaAssets,
    lazy: async () => ({
      Component: (await import('#src/features/media-assets/MediaAssetsScreen.tsx'))
        .MediaAssetsScreen,
    }),
  },
  {
    path: paths.createMediaAsset,
    lazy: async () => ({
      Component: (await import('#src/features/create-media-asset/CreateMediaAssetScreen.tsx'))
        .CreateMediaAssetScreen,
    }),
  },
  {
    path: paths.wallets,
    lazy: async () => ({
      Component: (await import('#src/features/wallets/WalletsScreen.tsx')).WalletsScreen,
    }),
  },
  {
    path: walletPattern,
    lazy: async () => ({
      Component: (await import('#src/features/wallets/WalletScreen.tsx')).WalletScreen,
    }),
  },
  {
    path: paths.subscriptions,
    lazy: async () => ({
      Component: (await import('#src/features/subscriptions/SubscriptionsScreen.tsx'))
        .SubscriptionsScreen,
    }),
  },
  {
    path: subscriptionPattern,
    lazy: async () => ({
      Component: (await import('#src/features/subscriptions/SubscriptionScreen.tsx'))
        .SubscriptionScreen,
    }),
  },
  {
    path: paths.referralCodes,
    lazy: async () => ({
      Component: (await import('#src/features/referral-codes/ReferralCodesScreen.tsx'))
        .ReferralCodesScreen,
    }),
  },
  {
    path: paths.payments,
    lazy: async () => ({
      Component: (await import('#src/features/payments/PaymentsScreen.tsx')).PaymentsScreen,
    }),
  },
  {
    path: paths.userProfile,
    lazy: async () => ({
      Component: (await import('#src/features/user-profile/UserProfileScreen.tsx'))
        .UserProfileScreen,
    }),
  },
  {
    path: paths.externalAuths,
    lazy: async () => ({
      Component: (await import('#src/features/external-auths/ExternalAuthsScreen.tsx'))
        .ExternalAuthsScreen,
    }),
  },
  {
    path: paths.storedPaymentMethods,
    lazy: async () => ({
      Component: (
        await import('#src/features/stored-payment-methods/StoredPaymentMethodsScreen.tsx')
      ).StoredPaymentMethodsScreen,
    }),
  },
]

/** The screens that exist to pay; the payments flag hides them. */
export const checkoutRoutes: readonly RouteObject[] = [
  {
    path: orderCheckoutPattern,
    lazy: async () => ({
      Component: (await import('#src/features/orders/OrderCheckoutScreen.tsx')).OrderCheckoutScreen,
    }),
  },
  {
    path: paths.subscriptionCheckout,
    lazy: async () => ({
      Component: (await import('#src/features/subscriptions/SubscriptionCheckoutScreen.tsx'))
        .SubscriptionCheckoutScreen,
    }),
  },
  {
    path: paths.tokenCheckout,
    lazy: async () => ({
      Component: (await import('#src/features/wallet-coin-transactions/PurchaseTokensScreen.tsx'))
        .PurchaseTokensScreen,
    }),
  },
]

/** The older flow's page for the options of each preset. */
function optionPages(): readonly RouteObject[] {
  const slugs = Object.keys(olderFlow.options) as (keyof typeof olderFlow.options)[]
  return slugs.map((slug) => ({
    path: olderFlow.options[slug],
    lazy: async () => {
      const { PresetOptionsScreen } =
        await import('#src/features/upload/older/PresetOptionsScreen.tsx')
      return { Component: () => <PresetOptionsScreen slug={slug} /> }
    },
  }))
}
