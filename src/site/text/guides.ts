import { byLanguage } from '../language.ts';

/** Texts of the guides and of the pages in their menu. */
export const GUIDE_TEXTS = byLanguage({
  menu: ['Guides and help', 'الأدلة والمساعدة'],
  sections: {
    start: ['Getting started', 'ابدأ هنا'],
    concepts: ['Core concepts', 'المفاهيم الأساسية'],
    data: ['Listings and statistics', 'الإعلانات والإحصاءات'],
    build: ['Build and run', 'البناء والتشغيل'],
    account: ['Plans and service', 'الباقات والخدمة'],
    more: ['More guides', 'أدلة أخرى'],
  },
  previous: ['Previous', 'السابق'],
  next: ['Next', 'التالي'],
  pages: ['Previous and next page', 'الصفحة السابقة والتالية'],
  output: ['Output', 'الناتج'],
  search: ['Search the documentation', 'البحث في الوثائق'],
  search_hint: ['Guides, errors, operations', 'الأدلة والأخطاء والعمليات'],
  search_found: ['Results:', 'عدد النتائج:'],
  search_none: ['Nothing found. Try another word.', 'لا توجد نتائج. جرّب كلمة أخرى.'],
  search_failed: ['The search is temporarily unavailable. Try again.', 'تعذّر البحث حاليًا. حاول مرة أخرى.'],
});
