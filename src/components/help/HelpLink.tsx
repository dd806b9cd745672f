import type { HelpSlug } from '#src/config/help-pages.ts'
import { paths } from '#src/config/paths.ts'
import { TextLink } from '#src/ui/TextLink.tsx'

/**
 * The way from a problem to the page that explains it; nothing where there is none. In a new tab,
 * so that nothing on the page is lost.
 */
export function HelpLink({ slug }: { readonly slug: HelpSlug | null }) {
  return slug === null ? null : (
    <TextLink to={paths.helpPage(slug)} isNewTab className="text-sm pointer-coarse:py-3.5">
      Help with this
    </TextLink>
  )
}
