import type { components } from '#openapi/schema.gen.ts'
import type { FrontPageFacts } from '#server/operations/core/front-page/facts.ts'
import { parseSlug } from '#server/operations/core/presets/stored.ts'

/** Where the operator's files of the front page are answered. */
const FILES_PATH = '/front-page/'

/** What the front page may say, as the contract shows it. */
export function viewFrontPage({
  formats,
  payments,
  supportMail,
  published: { testimonials, figures, socialLinks },
}: FrontPageFacts): components['schemas']['FrontPage'] {
  return {
    formats: formats.map(({ preset, prices }) => ({
      slug: parseSlug(preset.slug),
      name: preset.name,
      pricingStrategies: [...prices],
    })),
    payments,
    testimonials:
      testimonials?.map(({ video, picture, ...words }, at) => ({
        ...words,
        id: `testimonial-${at + 1}`,
        videoUrl: FILES_PATH + video,
        thumbnailUrl: FILES_PATH + picture,
      })) ?? null,
    figures,
    socialLinks: [...socialLinks],
    supportMail,
  }
}
