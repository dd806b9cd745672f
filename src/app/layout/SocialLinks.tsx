import { FOOTER_LINK } from './footer-links.ts'

/** Where the operator can be followed; nothing where none are set. */
export function SocialLinks({
  links,
}: {
  readonly links: readonly { readonly name: string; readonly url: string }[]
}) {
  return links.map(({ name, url }) => (
    <a key={url} href={url} target="_blank" rel="noopener me" className={FOOTER_LINK}>
      {name}
    </a>
  ))
}
