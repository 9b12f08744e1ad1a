/** Smaller markets. Row: `id|slug|name_ar|direction|lat,lng|other spellings`, as `../gazetteer.ts` reads it. */
export const TAIF = `
8001|shihar|شهار|S|21.251,40.415|Shehar
8002|al_khalidiyah|الخالدية|S|21.286,40.386|Al Khaldiyah
8003|al_faisaliyah|الفيصلية|C|21.304,40.426|Al Faisaliah
8004|qarwa|قروى|C|21.276,40.386|Qurwa;Qarwa
8005|al_sharqiyah|الشرقية|C|21.274,40.418|
8006|al_aziziyah|العزيزية|C|21.275,40.410|Al Aziziya
8007|al_salamah|السلامة|C|21.268,40.404|Al Salama
8009|al_hawiyah|الحوية|N||Al Hawiya
8010|al_hada|الهدا|W||Al Hadaa
8011|al_shifa|الشفا|S||Al Shafa
8012|al_qumariyah|القمرية|N|21.281,40.429|Al Qomariyah
8013|al_rayyan|الريان|N|21.284,40.424|Al Rayan
8014|al_wurud|الورود|S||Al Woroud
8015|masarrah|مسرة|S||Masarra
8016|al_naseem|النسيم|E||Al Nasim
8017|al_mathnah|المثناة|W|21.258,40.386|Al Mathnat
8018|al_rabwah|الربوة|E||
8019|al_halqah_al_sharqiyah|الحلقة الشرقية|E||East Al Halqah
8020|al_halqah_al_gharbiyah|الحلقة الغربية|E||West Al Halqah
8022|al_wasit|الوسيط|N||
8023|mashi|معشي|W|21.285,40.400|Meashi
8024|awdah|عودة|S|21.237,40.393|
8025|al_shuhada_al_janubiyah|الشهداء الجنوبية|S|21.258,40.424|
8026|al_shuhada_al_shamaliyah|الشهداء الشمالية|C|21.268,40.424|
8027|nakhab|نخب|E|21.264,40.443|
8028|al_qutbiyah|القطبية|N|21.286,40.440|Al Qutbiah
8029|jabrah|جبرة|N|21.299,40.432|
8030|shubra|شبرا|N|21.281,40.416|
8031|al_aqiq|العقيق|N|21.287,40.410|Al Aqeeq
8032|al_washha|الوشحاء|E|21.250,40.449|
8033|al_nuzha|النزهة|S|21.253,40.420|
8034|umm_al_arad|أم العراد|S|21.240,40.408|Umm Alarad
`;

export const BURAIDAH = `
9001|al_rayyan|الريان|N||Al Rayan
9002|al_safra|الصفراء|N|26.362,43.953|Al Safraa
9003|al_iskan|الإسكان|E|26.385,43.942|Al Eskan
9004|al_ufuq|الأفق|N||Al Ofoq
9005|al_nakheel|النخيل|W||Al Nakhil
9006|al_khaleej|الخليج|C|26.308,43.972|Al Khalij
9007|al_fayziyah|الفايزية|C|26.374,43.973|Al Fayziah;Al Faiziyah
9008|al_salam|السلام|C||
9009|al_hilal|الهلال|S|26.321,43.961|Al Helal
9010|sultanah|سلطانة|N||Sultana
9011|al_muntazah|المنتزه|N|26.355,43.944|
9012|al_basatin|البساتين|W||Al Basateen
9014|al_rawdah|الروضة|N||Al Rawda
9015|al_nahdah|النهضة|E||Al Nahda
9017|al_hamr|الحمر|N|26.340,43.903|
9018|al_basar|البصر|W||
9019|khudayra|خضيراء|S|26.310,44.005|
9020|al_sabakh|الصباخ|S|26.303,43.980|
9021|al_sadah|السادة|S|26.321,43.982|
9022|al_nasim|النسيم|E|26.325,44.005|Al Naseem
9023|al_ajibah|العجيبة|C|26.325,43.967|
9024|al_shammas|الشماس|C|26.332,43.961|
9025|al_rafiah|الرفيعة|E|26.335,43.991|
9026|al_zarqa|الزرقاء|W|26.341,43.933|
9027|al_rabwah|الربوة|N|26.358,43.974|
9028|al_akhdar|الأخضر|N|26.384,43.971|
9029|al_rawabi|الروابي|E|26.294,44.033|
9030|wasit|واسط|S|26.309,43.952|
`;

export const TABUK = `
10001|al_muruj|المروج|N||Al Morouj
10002|al_faisaliyah_al_shamaliyah|الفيصلية الشمالية|C|28.404,36.554|North Al Faisaliyah
10003|al_faisaliyah_al_janubiyah|الفيصلية الجنوبية|C|28.392,36.580|South Al Faisaliyah
10004|al_sulaymaniyah|السليمانية|C|28.405,36.573|Al Sulaimaniyah
10005|al_rawdah|الروضة|E|28.406,36.524|Al Rawda
10006|al_misif|المصيف|N||Al Masif;Al Maseef
10007|al_wurud|الورود|W|28.413,36.580|Al Woroud
10008|al_nakhil|النخيل|S||Al Nakheel
10009|al_akhdar|الأخضر|W||
10010|al_qadisiyah|القادسية|C||Al Qadisiya
10011|al_rajhi|الراجحي|E||
10012|damj|دمج|N||Damaj
10013|al_safa|الصفا|N||
10014|al_nahdah|النهضة|W|28.393,36.535|Al Nahda
10015|al_rayyan|الريان|W||Al Rayan
10016|al_aziziyah_al_qadimah|العزيزية القديمة|C|28.393,36.566|العزيزية;Al Aziziyah
10017|al_basatin|البساتين|S|28.368,36.558|Al Basateen
10018|al_saadah|السعادة|C|28.390,36.551|
10019|sultanah|سلطانة|E|28.402,36.588|Sultana
10020|al_salam|السلام|E|28.408,36.612|
10021|al_salihiyah|الصالحية|C|28.399,36.548|
10022|al_ulaya|العليا|E|28.382,36.586|Al Olaya
10023|al_salman|السلمان|C|28.388,36.577|
`;

export const ABHA = `
11001|al_manhal|المنهل|C|18.224,42.514|
11002|shamsan|شمسان|N|18.230,42.510|
11003|al_khushai|الخشع|C|18.213,42.506|Al Khasha
11004|al_muwazzafin|الموظفين|E||Al Muwadhafin
11005|al_mansak|المنسك|E||
11006|al_muruj|المروج|S|18.219,42.551|
11007|al_wurud|الورود|E||Al Woroud
11008|al_badi|البديع|C||Al Badea
11009|al_miftaha|المفتاحة|C|18.211,42.496|
11010|al_qabil|القابل|C|18.224,42.498|
11011|al_nasb|النصب|C|18.218,42.505|
11012|al_mahalah|المحالة|E||
11013|al_nuzha|النزهة|C|18.210,42.513|
11014|al_andalus|الأندلس|N|18.212,42.519|
11015|dharrah|ذرة|S|18.206,42.508|Tharra
11016|al_qura|القرى|N|18.242,42.489|
11017|al_wardatayn|الوردتين|N|18.228,42.495|
11018|al_rabwah|الربوة|S|18.204,42.527|
11019|al_nasim|النسيم|S|18.200,42.542|
11020|al_dabab|الضباب|S|18.197,42.511|
11021|al_wasayif|الوصايف|N|18.233,42.485|
11022|al_sharafiyah|الشرفية|N|18.242,42.516|
11023|al_aziziyah|العزيزية|C|18.210,42.501|
11024|al_khalidiyah|الخالدية|W|18.226,42.479|
11025|al_arin|العرين|N|18.232,42.540|Al Areen
`;

export const KHAMIS_MUSHAIT = `
12001|al_nuzha|النزهة|C|18.278,42.739|
12002|al_rawdah|الروضة|C|18.300,42.730|Al Rawda
12003|shabaah|شباعة|S|18.318,42.725|
12005|al_rusras|الرصراص|W||
12007|atud|عتود|E|18.302,42.711|Otoud
12009|al_harir|الهرير|N||
12012|al_iskan|الإسكان|E||
12013|dhahban|ذهبان|S||
12014|al_khalidiyah|الخالدية|C|18.303,42.727|
12015|al_wahah|الواحة|N|18.331,42.698|
12016|al_jazirah|الجزيرة|W|18.314,42.722|
12017|al_zuhur|الزهور|S|18.293,42.737|
12018|al_muntazah|المنتزه|C|18.302,42.721|
12019|damak|ضمك|S|18.287,42.728|Dhamak
12020|al_fath|الفتح|N|18.323,42.739|
12021|al_mamurah|المعمورة|N|18.327,42.724|
12022|al_nasim|النسيم|E|18.291,42.760|Al Naseem
12023|al_suqur|الصقور|E|18.301,42.764|
12024|al_nakhil|النخيل|S|18.297,42.749|Al Nakheel
12025|al_rabi|الربيع|W|18.312,42.690|
12026|al_qafilah|القافلة|W|18.314,42.696|
12027|al_aziziyah|العزيزية|E|18.313,42.751|
`;

export const HAIL = `
13001|al_samra|السمراء|E|27.496,41.720|Al Samraa
13002|barzan|برزان|C|27.526,41.703|
13003|al_aziziyah|العزيزية|C|27.532,41.679|Al Aziziya
13004|al_nuqrah|النقرة|N|27.472,41.659|Al Nugrah
13005|al_muntazah_al_sharqi|المنتزه الشرقي|W|27.544,41.713|
13006|al_muntazah_al_gharbi|المنتزه الغربي|W|27.546,41.683|
13007|al_khuzama|الخزامى|W|27.579,41.721|
13008|salah_ad_din|صلاح الدين|W||
13009|al_badiah|البادية|S||
13010|al_wurud|الورود|C||
13011|al_zibarah|الزبارة|C|27.505,41.707|
13012|al_matar|المطار|S|27.495,41.690|
13013|lubdah|لبدة|C|27.518,41.709|
13014|aja|أجا|N|27.563,41.688|
13015|al_mahattah|المحطة|C|27.516,41.691|
13016|samah|سماح|C|27.518,41.699|
13017|al_zahra|الزهراء|N|27.561,41.717|
13018|mughaydah|مغيضة|E|27.526,41.718|Mughaidah
13019|al_khuraymi|الخريمي|E|27.514,41.760|
13020|al_wusayta|الوسيطاء|W|27.507,41.671|
13021|sababah|صبابة|W|27.521,41.648|
13022|al_buhayrah|البحيرة|S|27.484,41.699|
13023|al_khamashiyah|الخماشية|S|27.478,41.724|
13024|al_masif|المصيف|N|27.583,41.691|
`;

export const JUBAIL = `
14001|al_fanateer|الفناتير|N||Al Fanatir
14002|al_deffi|الدفي|N||Al Defi
14003|al_huwaylat|الحويلات|N|27.097,49.573|Al Huwailat
14004|jalmudah|جلمودة|N|27.160,49.527|Jalmouda
14005|al_lulu|اللؤلؤ|N|27.089,49.577|
14006|al_mutrafiyah|المطرفية|N||Mutrafiah
14007|al_farouq|الفاروق|N|27.127,49.525|
14008|jubail_al_balad|جبيل البلد|S||البلد;Al Balad
14009|taybah|طيبة|S||
14010|al_hamra|الحمراء|S||
14011|al_hijaz|الحجاز|N|27.155,49.563|
14012|najd|نجد|N|27.141,49.547|
14013|al_shati|الشاطئ|N|27.079,49.585|
14014|al_ahsa|الأحساء|N|27.120,49.562|
14015|yanbu|ينبع|N|27.073,49.593|
14016|al_fayha|الفيحاء|N|27.119,49.549|
14017|al_khalij|الخليج|N|27.113,49.567|Al Khaleej
14018|darin|دارين|N|27.169,49.571|
14019|sudayr|سدير|N|27.137,49.565|
14020|makkah|مكة|N|27.147,49.554|
14021|al_firdaws|الفردوس|N|27.111,49.539|
14022|al_andalus|الأندلس|N|27.138,49.535|
14023|al_quds|القدس|N|27.127,49.540|
`;

export const AHSA = `
15001|al_mubarraz|المبرز|N||
15002|al_khalidiyah|الخالدية|C|25.336,49.588|
15003|al_mahdud|المحدود|N||
15004|al_salhiyah|الصالحية|C|25.370,49.595|
15005|al_mazruiyah|المزروعية|C|25.369,49.576|
15006|al_kut|الكوت|C||
15007|al_rifah|الرفعة|C||
15008|al_naathil|النعاثل|C||
15009|ayn_musa|عين موسى|S||Ain Mousa
15010|al_sulaymaniyah|السليمانية|W||
15011|al_salmaniyah|السلمانية|W||
15012|al_uyun|العيون|N||
15013|al_umran|العمران|E||
15014|al_jafr|الجفر|E||
15015|al_hufuf|الهفوف|C||
15016|al_rashidiyah|الراشدية|N||
15017|al_zahrah|الزهرة|S|25.325,49.585|
15018|al_wahah|الواحة|S|25.329,49.626|
15019|al_jamiyin|الجامعيين|S|25.315,49.591|
15020|al_rawdah|الروضة|E|25.356,49.606|
15021|al_muhammadiyah|المحمدية|W|25.376,49.560|
15022|al_ruqayqah|الرقيقة|W|25.354,49.573|
15023|al_basirah|البصيرة|E|25.368,49.611|
15024|al_shihabiyah|الشهابية|E|25.360,49.614|
15025|al_bandariyah|البندرية|S|25.340,49.570|
15026|al_uwaymiriyah|العويمرية|S|25.354,49.586|
15027|al_nayifiyah|النايفية|W|25.330,49.551|
15028|al_nasim|النسيم|S|25.328,49.609|
15029|king_fahd|الملك فهد|E|25.356,49.634|
`;

export const QATIF = `
16001|al_qala|القلعة|C|26.560,50.010|
16002|al_majidiyah|المجيدية|C|26.542,50.023|
16003|al_nasirah|الناصرة|C|26.576,50.013|
16004|tarut|تاروت|E|26.570,50.065|Tarout
16005|sayhat|سيهات|S|26.480,50.040|Saihat
16006|al_awwamiyah|العوامية|N|26.587,49.984|Awamiyah
16007|anak|عنك|S|26.514,50.022|Anek
16008|al_jish|الجش|S||
16009|umm_al_hamam|أم الحمام|S||
16010|al_khuwaylidiyah|الخويلدية|W|26.550,49.990|
16011|al_jarudiyah|الجارودية|W|26.542,49.988|
16012|al_qudaih|القديح|N|26.569,49.986|
16013|al_badrani|البدراني|N||
16014|al_muzayrie|المزيرع|C||
16015|darin|دارين|E|26.547,50.077|
16016|al_badi|البديع|W|26.547,49.956|
16017|al_shati|الشاطئ|E|26.562,50.045|
16018|al_fath|الفتح|E|26.570,50.044|
16019|al_wahah|الواحة|E|26.575,50.027|
16020|al_muruj|المروج|E|26.586,50.048|
16021|al_rawdah|الروضة|E|26.576,50.039|
16022|al_wurud|الورود|E|26.582,50.027|
16023|al_rida|الرضا|E|26.563,50.030|
16024|hillat_muhaysh|حلة محيش|S|26.538,49.997|
16025|al_zumurrud|الزمرد|S|26.547,49.998|
16026|al_jawahir|الجواهر|N|26.585,50.007|
16027|al_khuzama|الخزامى|E|26.565,50.018|
16028|al_tawbi|التوبي|W|26.554,49.995|
`;

export const YANBU = `
17001|al_yaqut|الياقوت|S|24.059,38.118|
17002|al_murjan|المرجان|S|24.052,38.107|
17003|al_falah|الفلاح|N|24.132,38.011|
17004|al_aziziyah|العزيزية|S|24.030,38.188|
17005|al_nuzha|النزهة|N|24.154,37.952|
17006|al_salam|السلام|N|24.142,38.002|
17007|al_bandar|البندر|C|24.097,38.027|
17008|al_zuhur|الزهور|C|24.083,38.055|
17009|al_rabi|الربيع|E|24.073,38.123|
17010|al_nasim|النسيم|C|24.088,38.066|
17011|al_usayli|العصيلي|C|24.102,38.072|
17012|mushrifah|مشرفة|N|24.115,38.073|
17013|al_buhayrah|البحيرة|S|24.071,38.078|
17014|al_rayyan|الريان|E|24.128,38.105|
`;

export const KHARJ = `
18001|al_muntazah|المنتزه|N|24.163,47.326|
18002|al_sulaymaniyah|السليمانية|N|24.150,47.308|
18003|al_safa|الصفاء|N|24.179,47.275|
18004|al_burj|البرج|C|24.160,47.301|
18005|al_salam|السلام|C|24.156,47.316|
18006|al_yamamah|اليمامة|N|24.181,47.311|
18007|al_khalidiyah|الخالدية|W|24.128,47.283|
18008|al_khuzama|الخزامى|W|24.134,47.276|
18009|al_aziziyah|العزيزية|C|24.146,47.295|
18010|al_nahdah|النهضة|E|24.154,47.334|
18011|al_nuzha|النزهة|E|24.163,47.346|
18012|al_rayyan|الريان|C|24.148,47.325|
18013|al_andalus|الأندلس|E|24.147,47.344|
18014|al_faisaliyah|الفيصلية|E|24.161,47.355|
`;

export const JAZAN = `
20001|al_qalah|القلعة|C|16.881,42.551|
20002|al_safa|الصفا|C|16.884,42.572|
20003|al_suways|السويس|S|16.858,42.596|
20004|al_bashair|البشائر|E|16.861,42.625|
20005|al_matar|المطار|C|16.900,42.578|
20006|al_rawabi|الروابي|N|16.948,42.590|
20007|al_zuhur|الزهور|N|16.911,42.621|
20008|al_shati|الشاطئ|N|16.934,42.552|
20009|al_rawdah|الروضة|N|16.910,42.582|
20010|al_shamiyah|الشامية|C|16.894,42.546|
20011|al_nur|النور|N|16.947,42.633|
20012|al_nasim|النسيم|C|16.904,42.594|
20013|al_jabal|الجبل|C|16.892,42.553|
`;
