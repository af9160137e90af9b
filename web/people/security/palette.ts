import { definePalette } from '../../frame/palette.ts'
import { both, t } from './texts.ts'

export default definePalette({
  find: () => [
    {
      id: 'page /account/security',
      group: 'pages',
      text: t.title,
      words: [
        both.ar.title,
        both.en.title,
        both.ar.password,
        both.en.password,
        both.ar.sessions,
        both.en.sessions,
        both.ar.tokens,
        both.en.tokens,
        both.ar.calendar,
        both.en.calendar,
      ],
      icon: 'shield',
      path: '/account/security',
      isTyped: true,
    },
  ],
})
