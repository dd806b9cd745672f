import { paths } from '#src/config/paths.ts'

/** The texts that every page leads to. */
export const FOOTER_LINKS = [
  { to: paths.help, title: 'Help' },
  { to: paths.termsOfUse, title: 'Terms of use' },
  { to: paths.privacyPolicy, title: 'Privacy policy' },
  { to: paths.referralTerms, title: 'Referral terms' },
  { to: paths.termsAndConditions, title: 'Terms and conditions' },
  { to: paths.contentPolicy, title: 'Content policy' },
  { to: paths.report, title: 'Report a video' },
  { to: paths.licences, title: 'Licences' },
] as const

/** A finger needs higher lines than a mouse. */
export const FOOTER_LINK =
  'pointer-coarse:inline-flex pointer-coarse:min-h-11 pointer-coarse:items-center font-medium wrap-anywhere text-ink underline decoration-line-strong underline-offset-4 hover:decoration-current'
