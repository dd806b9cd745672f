import type { Testimonial } from './front-page.ts'

/**
 * The two built-in testimonials. Their names, sites (reserved names, RFC 2606) and pictures are
 * made up, and the page says so until the operator publishes real ones.
 */
export const EXAMPLE_TESTIMONIALS: readonly Testimonial[] = [
  {
    id: 'mara',
    name: 'Mara Voss',
    role: 'Content Creator',
    url: 'https://mara.example',
    quote:
      'I used to lose my Sundays to cutting teasers. Now I upload the scene, tick three formats and go for a walk. The files are there when I am back.',
    videoUrl: '/landing/voice-1.mp4',
    thumbnailUrl: '/landing/voice-1.webp',
  },
  {
    id: 'jules',
    name: 'Jules Arden',
    role: 'Content Creator',
    url: 'https://jules.example',
    quote:
      'The watermark and the GIF pack alone pay for it. My channels look like I have a whole team, and everything I get back is mine.',
    videoUrl: '/landing/voice-2.mp4',
    thumbnailUrl: '/landing/voice-2.webp',
  },
]
