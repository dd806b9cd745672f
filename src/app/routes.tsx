import { redirect } from 'react-router'
import type { RouteObject } from 'react-router'
import { checkoutRoutes, featureRoutes } from './feature-routes.tsx'
import type { Guards } from './guards/guards.ts'
import { PrivateLayout } from './layout/PrivateLayout.tsx'
import { RootLayout } from './layout/RootLayout.tsx'
import { AuthRoute } from './screens/AuthRoute.tsx'
import { CrashScreen } from './screens/CrashScreen.tsx'
import { NotAuthorizedScreen } from './screens/NotAuthorizedScreen.tsx'
import { NotFoundScreen } from './screens/NotFoundScreen.tsx'
import { StartScreen } from './screens/StartScreen.tsx'
import { env } from '#src/config/env.ts'
import { helpPattern, invitePattern, paths } from '#src/config/paths.ts'

/**
 * The index of the product: every address, its guards and its screen. A route is here when its
 * screen exists.
 */
export function createRoutes(guards: Guards): RouteObject[] {
  return [
    {
      Component: RootLayout,
      HydrateFallback: StartScreen,
      // Thrown by the layout itself; screens have the boundary below.
      ErrorBoundary: CrashScreen,
      children: [
        {
          ErrorBoundary: CrashScreen,
          children: [
            ...publicRoutes(guards),
            privateRoutes(guards),
            { path: '*', Component: NotFoundScreen },
          ],
        },
      ],
    },
  ]
}

/** Texts that all people may read, signed in or not. */
const legalRoutes: readonly RouteObject[] = [
  {
    path: paths.referralTerms,
    lazy: async () => ({
      Component: (await import('#src/features/referral-terms/ReferralTermsScreen.tsx'))
        .ReferralTermsScreen,
    }),
  },
  {
    path: paths.termsOfUse,
    lazy: async () => ({
      Component: (await import('#src/features/terms-of-use/TermsOfUseScreen.tsx')).TermsOfUseScreen,
    }),
  },
  {
    path: paths.privacyPolicy,
    lazy: async () => ({
      Component: (await import('#src/features/privacy-policy/PrivacyPolicyScreen.tsx'))
        .PrivacyPolicyScreen,
    }),
  },
  {
    path: paths.termsAndConditions,
    lazy: async () => ({
      Component: (await import('#src/features/terms-and-conditions/TermsAndConditionsScreen.tsx'))
        .TermsAndConditionsScreen,
    }),
  },
  {
    path: paths.contentPolicy,
    lazy: async () => ({
      Component: (await import('#src/features/content-policy/ContentPolicyScreen.tsx'))
        .ContentPolicyScreen,
    }),
  },
  {
    // Beside signing in, whose verification of people it shares.
    path: paths.report,
    lazy: async () => ({
      Component: (await import('#src/features/auth/report/ReportScreen.tsx')).ReportScreen,
    }),
  },
  {
    path: paths.licences,
    lazy: async () => ({
      Component: (await import('#src/features/licences/LicencesScreen.tsx')).LicencesScreen,
    }),
  },
]

/** Help for all people, signed in or not. */
const helpRoutes: readonly RouteObject[] = [
  {
    path: paths.help,
    lazy: async () => ({
      Component: (await import('#src/features/help/HelpScreen.tsx')).HelpScreen,
    }),
  },
  {
    path: helpPattern,
    lazy: async () => ({
      Component: (await import('#src/features/help/HelpPageScreen.tsx')).HelpPageScreen,
    }),
  },
]

function publicRoutes(guards: Guards): RouteObject[] {
  return [
    {
      path: paths.landing,
      loader: guards.redirectHome,
      lazy: async () => ({
        Component: (await import('#src/features/landing/LandingScreen.tsx')).LandingScreen,
      }),
    },
    {
      path: paths.signUp,
      loader: guards.requireVisitor,
      lazy: async () => {
        const { SignUpScreen } = await import('#src/features/auth/SignUpScreen.tsx')
        return { Component: () => <AuthRoute Screen={SignUpScreen} /> }
      },
    },
    {
      path: paths.logIn,
      loader: guards.requireVisitor,
      lazy: async () => {
        const { LogInScreen } = await import('#src/features/auth/LogInScreen.tsx')
        return { Component: () => <AuthRoute Screen={LogInScreen} /> }
      },
    },
    {
      path: invitePattern,
      lazy: async () => ({
        Component: (await import('#src/features/auth/InviteScreen.tsx')).InviteScreen,
      }),
    },
    ...legalRoutes,
    ...helpRoutes,
    { path: paths.notAuthorized, Component: NotAuthorizedScreen },
  ]
}

function privateRoutes(guards: Guards): RouteObject {
  return {
    id: 'private',
    loader: guards.requireUser,
    Component: PrivateLayout,
    children: [
      {
        ErrorBoundary: CrashScreen,
        children: [
          {
            path: paths.createProfile,
            loader: guards.requireNoProfession,
            lazy: async () => {
              const { CreateProfileScreen } =
                await import('#src/features/profile/CreateProfileScreen.tsx')
              return { Component: () => <CreateProfileScreen nextPath={guards.afterProfile} /> }
            },
          },
          {
            id: 'with-profession',
            loader: guards.requireProfession,
            children: [
              ...[...featureRoutes, ...(env.paymentsEnabled ? checkoutRoutes : [])].map(
                (route) => ({ ...route, loader: guards.requirePermission }),
              ),
              { path: paths.mediaJobs, loader: () => redirect(paths.edits), element: null },
            ],
          },
        ],
      },
    ],
  }
}
