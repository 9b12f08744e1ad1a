import type { Language } from '../language.ts';

const en = {
  menu: 'Guides and help',
  sections: {
    start: 'Getting started',
    concepts: 'Core concepts',
    data: 'Listings and statistics',
    build: 'Build and run',
    account: 'Plans and service',
    more: 'More guides',
  },
  previous: 'Previous',
  next: 'Next',
  pages: 'Previous and next page',
  output: 'Output',
  search: 'Search the documentation',
  search_hint: 'Guides, errors, operations',
  search_found: 'Results:',
  search_none: 'Nothing found. Try another word.',
  search_failed: 'The search is temporarily unavailable. Try again.',
};

const ar: typeof en = {
  menu: 'الأدلة والمساعدة',
  sections: {
    start: 'ابدأ هنا',
    concepts: 'المفاهيم الأساسية',
    data: 'الإعلانات والإحصاءات',
    build: 'البناء والتشغيل',
    account: 'الباقات والخدمة',
    more: 'أدلة أخرى',
  },
  previous: 'السابق',
  next: 'التالي',
  pages: 'الصفحة السابقة والتالية',
  output: 'الناتج',
  search: 'البحث في الوثائق',
  search_hint: 'الأدلة والأخطاء والعمليات',
  search_found: 'عدد النتائج:',
  search_none: 'لا توجد نتائج. جرّب كلمة أخرى.',
  search_failed: 'تعذّر البحث حاليًا. حاول مرة أخرى.',
};

/** Texts of the guides and of the pages in their menu. */
export const GUIDE_TEXTS: Readonly<Record<Language, typeof en>> = { en, ar };
