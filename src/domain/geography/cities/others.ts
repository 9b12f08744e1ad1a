/** Smaller cities. Rows: `id|slug|name_ar|direction|lat,lng|other spellings`, parsed by `../gazetteer.ts`. */
export const OTHERS = {
  taif: `
8001|shihar|شهار|S|21.250,40.415|Shehar
8002|al_khalidiyah|الخالدية|S|21.285,40.385|Al Khaldiyah
8003|al_faisaliyah|الفيصلية|C|21.305,40.425|Al Faisaliah
8004|qarwa|قروى|C|21.275,40.385|Qurwa;Qarwa
8005|al_sharqiyah|الشرقية|C|21.275,40.420|
8006|al_aziziyah|العزيزية|C|21.275,40.410|Al Aziziya
8007|al_salamah|السلامة|C|21.270,40.405|Al Salama
8009|al_hawiyah|الحوية|N||Al Hawiya
8010|al_hada|الهدا|W||Al Hadaa
8011|al_shifa|الشفا|S||Al Shafa
8012|al_qumariyah|القمرية|N|21.280,40.430|Al Qomariyah
8013|al_rayyan|الريان|N|21.285,40.425|Al Rayan
8014|al_wurud|الورود|S||Al Woroud
8015|masarrah|مسرة|S||Masarra
8016|al_naseem|النسيم|E||Al Nasim
8017|al_mathnah|المثناة|W|21.260,40.385|Al Mathnat
8018|al_rabwah|الربوة|E||
8019|al_halqah_al_sharqiyah|الحلقة الشرقية|E||East Al Halqah
8020|al_halqah_al_gharbiyah|الحلقة الغربية|E||West Al Halqah
8022|al_wasit|الوسيط|N||
8023|mashi|معشي|W|21.285,40.400|Meashi
8024|awdah|عودة|S|21.235,40.395|
8025|al_shuhada_al_janubiyah|الشهداء الجنوبية|S|21.260,40.425|
8026|al_shuhada_al_shamaliyah|الشهداء الشمالية|C|21.270,40.425|
8027|nakhab|نخب|E|21.265,40.445|
8028|al_qutbiyah|القطبية|N|21.285,40.440|Al Qutbiah
8029|jabrah|جبرة|N|21.300,40.430|
8030|shubra|شبرا|N|21.280,40.415|
8031|al_aqiq|العقيق|N|21.285,40.410|Al Aqeeq
8032|al_washha|الوشحاء|E|21.250,40.450|
8033|al_nuzha|النزهة|S|21.255,40.420|
8034|umm_al_arad|أم العراد|S|21.240,40.410|Umm Alarad
8035|al_kuda|الكدى|||
8036|al_judiyah|الجودية|||
8037|dahiyat_al_iskan|ضاحية الإسكان|||
8038|al_rihab|الرحاب|||
8039|al_rahbah|الرحبة|||
8040|al_mulaysa|المليساء|||
8041|dahiyat_al_arfa|ضاحية العرفاء|||
8042|al_qahib|القهيب|||
8043|umm_al_atf|أم العطف|||
8044|taibah|طيبة|||
8045|rihah|ريحة|||
8046|al_sulaymaniyah|السليمانية|||
8047|al_qutbiyah_al_gharbiyah|القطبية الغربية|||
8048|al_jal|الجال|||
8049|al_sidad|السداد|||
8050|uwalah|أوالة|||
8051|al_midba|المضباع|||
8052|al_sinah|السناح|||
8053|al_bawadi|البوادي|||
8054|al_sharafiyah|الشرفية|||
8055|al_arfa_al_gharbiyah|العرفاء الغربية|||
8056|sultanah|سلطانة|||
8057|al_qalt|القلت|||
8058|al_sayl_al_kabir|السيل الكبير|||
8059|al_sirr|السر|||
8060|al_muatarid|المعترض|||
8061|wadi_jalil|وادي جليل|||
8062|al_jufayjif|الجفيجف|||
`,
  buraidah: `
9001|al_rayyan|الريان|N||Al Rayan
9002|al_safra|الصفراء|N|26.360,43.955|Al Safraa
9003|al_iskan|الإسكان|E|26.385,43.940|Al Eskan
9004|al_ufuq|الأفق|N||Al Ofoq
9005|al_nakheel|النخيل|W||Al Nakhil
9006|al_khaleej|الخليج|C|26.310,43.970|Al Khalij
9007|al_fayziyah|الفايزية|C|26.375,43.975|Al Fayziah;Al Faiziyah
9008|al_salam|السلام|C||
9009|al_hilal|الهلال|S|26.320,43.960|Al Helal
9010|sultanah|سلطانة|N||Sultana
9011|al_muntazah|المنتزه|N|26.355,43.945|
9012|al_basatin|البساتين|W||Al Basateen
9014|al_rawdah|الروضة|N||Al Rawda
9015|al_nahdah|النهضة|E||Al Nahda
9017|al_hamr|الحمر|N|26.340,43.905|
9018|al_basar|البصر|W||
9019|khudayra|خضيراء|S|26.310,44.005|
9020|al_sabakh|الصباخ|S|26.305,43.980|
9021|al_sadah|السادة|S|26.320,43.980|
9022|al_nasim|النسيم|E|26.325,44.005|Al Naseem
9023|al_ajibah|العجيبة|C|26.325,43.965|
9024|al_shammas|الشماس|C|26.330,43.960|
9025|al_rafiah|الرفيعة|E|26.335,43.990|
9026|al_zarqa|الزرقاء|W|26.340,43.935|
9027|al_rabwah|الربوة|N|26.360,43.975|
9028|al_akhdar|الأخضر|N|26.385,43.970|
9029|al_rawabi|الروابي|E|26.295,44.035|
9030|wasit|واسط|S|26.310,43.950|
`,
  tabuk: `
10001|al_muruj|المروج|N||Al Morouj
10002|al_faisaliyah_al_shamaliyah|الفيصلية الشمالية|C|28.405,36.555|North Al Faisaliyah
10003|al_faisaliyah_al_janubiyah|الفيصلية الجنوبية|C|28.390,36.580|South Al Faisaliyah
10004|al_sulaymaniyah|السليمانية|C|28.405,36.575|Al Sulaimaniyah
10005|al_rawdah|الروضة|E|28.405,36.525|Al Rawda
10006|al_misif|المصيف|N||Al Masif;Al Maseef
10007|al_wurud|الورود|W|28.415,36.580|Al Woroud
10008|al_nakhil|النخيل|S||Al Nakheel
10009|al_akhdar|الأخضر|W||
10010|al_qadisiyah|القادسية|C||Al Qadisiya
10011|al_rajhi|الراجحي|E||
10012|damj|دمج|N||Damaj
10013|al_safa|الصفا|N||
10014|al_nahdah|النهضة|W|28.395,36.535|Al Nahda
10015|al_rayyan|الريان|W||Al Rayan
10016|al_aziziyah_al_qadimah|العزيزية القديمة|C|28.395,36.565|العزيزية;Al Aziziyah
10017|al_basatin|البساتين|S|28.370,36.560|Al Basateen
10018|al_saadah|السعادة|C|28.390,36.550|
10019|sultanah|سلطانة|E|28.400,36.590|Sultana
10020|al_salam|السلام|E|28.410,36.610|
10021|al_salihiyah|الصالحية|C|28.400,36.550|
10022|al_ulaya|العليا|E|28.380,36.585|Al Olaya
10023|al_salman|السلمان|C|28.390,36.575|
`,
  abha: `
11001|al_manhal|المنهل|C|18.225,42.515|
11002|shamsan|شمسان|N|18.230,42.510|
11003|al_khushai|الخشع|C|18.215,42.505|Al Khasha
11004|al_muwazzafin|الموظفين|E||Al Muwadhafin
11005|al_mansak|المنسك|E||
11006|al_muruj|المروج|S|18.220,42.550|
11007|al_wurud|الورود|E||Al Woroud
11008|al_badi|البديع|C||Al Badea
11009|al_miftaha|المفتاحة|C|18.210,42.495|
11010|al_qabil|القابل|C|18.225,42.500|
11011|al_nasb|النصب|C|18.220,42.505|
11012|al_mahalah|المحالة|E||
11013|al_nuzha|النزهة|C|18.210,42.515|
11014|al_andalus|الأندلس|N|18.210,42.520|
11015|dharrah|ذرة|S|18.205,42.510|Tharra
11016|al_qura|القرى|N|18.240,42.490|
11017|al_wardatayn|الوردتين|N|18.230,42.495|
11018|al_rabwah|الربوة|S|18.205,42.525|
11019|al_nasim|النسيم|S|18.200,42.540|
11020|al_dabab|الضباب|S|18.195,42.510|
11021|al_wasayif|الوصايف|N|18.235,42.485|
11022|al_sharafiyah|الشرفية|N|18.240,42.515|
11023|al_aziziyah|العزيزية|C|18.210,42.500|
11024|al_khalidiyah|الخالدية|W|18.225,42.480|
11025|al_arin|العرين|N|18.230,42.540|Al Areen
`,
  khamis_mushait: `
12001|al_nuzha|النزهة|C|18.280,42.740|
12002|al_rawdah|الروضة|C|18.300,42.730|Al Rawda
12003|shabaah|شباعة|S|18.320,42.725|
12005|al_rusras|الرصراص|W||
12007|atud|عتود|E|18.300,42.710|Otoud
12009|al_harir|الهرير|N||
12012|al_iskan|الإسكان|E||
12013|dhahban|ذهبان|S||
12014|al_khalidiyah|الخالدية|C|18.305,42.725|
12015|al_wahah|الواحة|N|18.330,42.700|
12016|al_jazirah|الجزيرة|W|18.315,42.720|
12017|al_zuhur|الزهور|S|18.295,42.735|
12018|al_muntazah|المنتزه|C|18.300,42.720|
12019|damak|ضمك|S|18.285,42.730|Dhamak
12020|al_fath|الفتح|N|18.325,42.740|
12021|al_mamurah|المعمورة|N|18.325,42.725|
12022|al_nasim|النسيم|E|18.290,42.760|Al Naseem
12023|al_suqur|الصقور|E|18.300,42.765|
12024|al_nakhil|النخيل|S|18.295,42.750|Al Nakheel
12025|al_rabi|الربيع|W|18.310,42.690|
12026|al_qafilah|القافلة|W|18.315,42.695|
12027|al_aziziyah|العزيزية|E|18.315,42.750|
`,
  hail: `
13001|al_samra|السمراء|E|27.495,41.720|Al Samraa
13002|barzan|برزان|C|27.525,41.705|
13003|al_aziziyah|العزيزية|C|27.530,41.680|Al Aziziya
13004|al_nuqrah|النقرة|N|27.470,41.660|Al Nugrah
13005|al_muntazah_al_sharqi|المنتزه الشرقي|W|27.545,41.715|
13006|al_muntazah_al_gharbi|المنتزه الغربي|W|27.545,41.685|
13007|al_khuzama|الخزامى|W|27.580,41.720|
13008|salah_ad_din|صلاح الدين|W||
13009|al_badiah|البادية|S||
13010|al_wurud|الورود|C||
13011|al_zibarah|الزبارة|C|27.505,41.705|
13012|al_matar|المطار|S|27.495,41.690|
13013|lubdah|لبدة|C|27.520,41.710|
13014|aja|أجا|N|27.565,41.690|
13015|al_mahattah|المحطة|C|27.515,41.690|
13016|samah|سماح|C|27.520,41.700|
13017|al_zahra|الزهراء|N|27.560,41.715|
13018|mughaydah|مغيضة|E|27.525,41.720|Mughaidah
13019|al_khuraymi|الخريمي|E|27.515,41.760|
13020|al_wusayta|الوسيطاء|W|27.505,41.670|
13021|sababah|صبابة|W|27.520,41.650|
13022|al_buhayrah|البحيرة|S|27.485,41.700|
13023|al_khamashiyah|الخماشية|S|27.480,41.725|
13024|al_masif|المصيف|N|27.585,41.690|
13025|arkan|أركان|||
13026|al_wudi|الودي|||
13027|al_jabal|الجبل|||
13028|al_wadi|الوادي|||
13029|al_suwaiflah|السويفلة|||
13030|al_shifa|الشفاء|||
13031|al_nissiyah|النصية|||
13032|al_madain|المدائن|||
13033|al_rasf|الرصف|||
13034|al_nafel|النفل|||
13035|qufar|قفار|||
13036|al_yasmin|الياسمين|||
13037|qurtubah|قرطبة|||
13038|dahiyat_al_malik_fahd|ضاحية الملك فهد|||
13039|luluat_qufar|لؤلؤة قفار|||
13040|sudyan|صديان|||
13041|al_qairawan|القيروان|||
13042|al_laqitah|اللقيطة|||
13043|al_andalus|الأندلس|||
13044|al_muzabar|المزعبر|||
13045|durrat_al_wudi|درة الودي|||
13046|ishbiliyah|إشبيليا|||
13047|hadri_al_bilad|حدري البلاد|||
`,
  jubail: `
14001|al_fanateer|الفناتير|N||Al Fanatir
14002|al_deffi|الدفي|N||Al Defi
14003|al_huwaylat|الحويلات|N|27.095,49.575|Al Huwailat
14004|jalmudah|جلمودة|N|27.160,49.525|Jalmouda
14005|al_lulu|اللؤلؤ|N|27.090,49.575|
14006|al_mutrafiyah|المطرفية|N||Mutrafiah
14007|al_farouq|الفاروق|N|27.125,49.525|
14008|jubail_al_balad|جبيل البلد|S||البلد;Al Balad
14009|taybah|طيبة|S||
14010|al_hamra|الحمراء|S||
14011|al_hijaz|الحجاز|N|27.155,49.565|
14012|najd|نجد|N|27.140,49.545|
14013|al_shati|الشاطئ|N|27.080,49.585|
14014|al_ahsa|الأحساء|N|27.120,49.560|
14015|yanbu|ينبع|N|27.075,49.595|
14016|al_fayha|الفيحاء|N|27.120,49.550|
14017|al_khalij|الخليج|N|27.115,49.565|Al Khaleej
14018|darin|دارين|N|27.170,49.570|
14019|sudayr|سدير|N|27.135,49.565|
14020|makkah|مكة|N|27.145,49.555|
14021|al_firdaws|الفردوس|N|27.110,49.540|
14022|al_andalus|الأندلس|N|27.140,49.535|
14023|al_quds|القدس|N|27.125,49.540|
14024|al_aziziyah|العزيزية|||
14025|al_dabab|الضباب|||
14026|al_safah|الصفاة|||
14027|sinaiyat_al_urayfi|صناعية العريفي|||
14028|al_mirqab|المرقاب|||
14029|al_wahah|الواحة|||
14030|al_danah|الدانة|||
14031|al_jawharah|الجوهرة|||
14032|qurtubah|قرطبة|||
`,
  ahsa: `
15001|al_mubarraz|المبرز|N||
15002|al_khalidiyah|الخالدية|C|25.335,49.590|
15003|al_mahdud|المحدود|N||
15004|al_salhiyah|الصالحية|C|25.370,49.595|
15005|al_mazruiyah|المزروعية|C|25.370,49.575|
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
15018|al_wahah|الواحة|S|25.330,49.625|
15019|al_jamiyin|الجامعيين|S|25.315,49.590|
15020|al_rawdah|الروضة|E|25.355,49.605|
15021|al_muhammadiyah|المحمدية|W|25.375,49.560|
15022|al_ruqayqah|الرقيقة|W|25.355,49.575|
15023|al_basirah|البصيرة|E|25.370,49.610|
15024|al_shihabiyah|الشهابية|E|25.360,49.615|
15025|al_bandariyah|البندرية|S|25.340,49.570|
15026|al_uwaymiriyah|العويمرية|S|25.355,49.585|
15027|al_nayifiyah|النايفية|W|25.330,49.550|
15028|al_nasim|النسيم|S|25.330,49.610|
15029|king_fahd|الملك فهد|E|25.355,49.635|
15030|al_danah|الدانة|||
15031|al_rabiyah|الرابية|||
15032|al_badriyah|البدرية|||
15033|mansubi_al_talim_al_awwal|منسوبي التعليم الأول|||
15034|mansubi_al_talim_al_thani|منسوبي التعليم الثاني|||
15035|al_nakheel|النخيل|||
15036|al_umara|الأمراء|||
15037|al_hizam_al_akhdar|الحزام الأخضر|||
15038|al_suqur|الصقور|||
15039|al_hada|الهدا|||
15040|al_aziziyah_al_awwal|العزيزية الأول|||
15041|al_aziziyah_al_thani|العزيزية الثاني|||
15042|al_wurud_al_thalith|الورود الثالث|||
15043|al_wurud_al_thani|الورود الثاني|||
15044|al_rayyan|الريان|||
15045|al_quds|القدس|||
15046|al_hamra_al_awwal|الحمراء الأول|||
15047|al_hamra_al_thani|الحمراء الثاني|||
15048|al_muhandisin|المهندسين|||
15049|al_jawharah|الجوهرة|||
15050|al_dawhah|الدوحة|||
15051|al_asimah|العاصمة|||
15052|al_ruwaydah|الرويضة|||
15053|al_mazru_al_awwal|المزروع الأول|||
`,
  qatif: `
16001|al_qala|القلعة|C|26.560,50.010|
16002|al_majidiyah|المجيدية|C|26.540,50.025|
16003|al_nasirah|الناصرة|C|26.575,50.015|
16004|tarut|تاروت|E|26.570,50.065|Tarout
16005|sayhat|سيهات|S|26.480,50.040|Saihat
16006|al_awwamiyah|العوامية|N|26.585,49.985|Awamiyah
16007|anak|عنك|S|26.515,50.020|Anek
16008|al_jish|الجش|S||
16009|umm_al_hamam|أم الحمام|S||
16010|al_khuwaylidiyah|الخويلدية|W|26.550,49.990|
16011|al_jarudiyah|الجارودية|W|26.540,49.990|
16012|al_qudaih|القديح|N|26.570,49.985|
16013|al_badrani|البدراني|N||
16014|al_muzayrie|المزيرع|C||
16015|darin|دارين|E|26.545,50.075|
16016|al_badi|البديع|W|26.545,49.955|
16017|al_shati|الشاطئ|E|26.560,50.045|
16018|al_fath|الفتح|E|26.570,50.045|
16019|al_wahah|الواحة|E|26.575,50.025|
16020|al_muruj|المروج|E|26.585,50.050|
16021|al_rawdah|الروضة|E|26.575,50.040|
16022|al_wurud|الورود|E|26.580,50.025|
16023|al_rida|الرضا|E|26.565,50.030|
16024|hillat_muhaysh|حلة محيش|S|26.540,49.995|
16025|al_zumurrud|الزمرد|S|26.545,50.000|
16026|al_jawahir|الجواهر|N|26.585,50.005|
16027|al_khuzama|الخزامى|E|26.565,50.020|
16028|al_tawbi|التوبي|W|26.555,49.995|
16029|al_naseem|النسيم|||
16030|al_masif|المصيف|||
16031|al_zahra|الزهراء|||
16032|abu_maan|أبو معن|||
16033|al_nabiyah|النابية|||
16034|al_jumaymah|الجميمة|||
16035|al_narjis|النرجس|||
16036|al_awjam|الأوجام|||
16037|al_duraydi|الدريدي|||
16038|al_rawabi|الروابي|||
16039|al_ruwayhah|الرويحة|||
16040|al_andalus|الأندلس|||
16041|al_midras|المدارس|||المدراس
16042|umm_al_sahik|أم الساهك|||
16043|shati_al_qatif|شاطئ القطيف بتاروت|||
16044|al_budur|البدور|||
16045|al_rimal|الرمال|||
`,
  yanbu: `
17001|al_yaqut|الياقوت|S|24.060,38.120|
17002|al_murjan|المرجان|S|24.050,38.105|
17003|al_falah|الفلاح|N|24.130,38.010|
17004|al_aziziyah|العزيزية|S|24.030,38.190|
17005|al_nuzha|النزهة|N|24.155,37.950|
17006|al_salam|السلام|N|24.140,38.000|
17007|al_bandar|البندر|C|24.095,38.025|
17008|al_zuhur|الزهور|C|24.085,38.055|
17009|al_rabi|الربيع|E|24.075,38.125|
17010|al_nasim|النسيم|C|24.090,38.065|
17011|al_usayli|العصيلي|C|24.100,38.070|
17012|mushrifah|مشرفة|N|24.115,38.075|
17013|al_buhayrah|البحيرة|S|24.070,38.080|
17014|al_rayyan|الريان|E|24.130,38.105|
`,
  kharj: `
18001|al_muntazah|المنتزه|N|24.165,47.325|
18002|al_sulaymaniyah|السليمانية|N|24.150,47.310|
18003|al_safa|الصفاء|N|24.180,47.275|
18004|al_burj|البرج|C|24.160,47.300|
18005|al_salam|السلام|C|24.155,47.315|
18006|al_yamamah|اليمامة|N|24.180,47.310|
18007|al_khalidiyah|الخالدية|W|24.130,47.285|
18008|al_khuzama|الخزامى|W|24.135,47.275|
18009|al_aziziyah|العزيزية|C|24.145,47.295|
18010|al_nahdah|النهضة|E|24.155,47.335|
18011|al_nuzha|النزهة|E|24.165,47.345|
18012|al_rayyan|الريان|C|24.150,47.325|
18013|al_andalus|الأندلس|E|24.145,47.345|
18014|al_faisaliyah|الفيصلية|E|24.160,47.355|
18015|mishrif|مشرف|||
18016|mishrifah|مشرفة|||
18017|al_zahir|الزاهر|||
18018|al_wurud|الورود|||
18019|al_yarmuk|اليرموك|||
18020|al_hada|الهداء|||
18021|al_nasifah|الناصفة|||
18022|ghayyadah|غياضة|||
18023|al_malqa|الملقا|||
18024|al_qitar|القطار|||
18025|al_afjah|العفجة|||
18026|al_rayhan|الريحان|||
18027|al_adamah|العدامة|||
18028|al_nakheel|النخيل|||
18029|tuwaiq|طويق|||
18030|najd|نجد|||
18031|al_wahah|الواحة|||
18032|al_rafiah|الرفيعة|||الرفيعة في الهياثم
18033|al_rafayi|الرفايع|||
18034|al_uyun|العيون|||
18035|al_jamiah|الجامعة|||
18036|al_sahba|السهباء|||
`,
  jazan: `
20001|al_qalah|القلعة|C|16.880,42.550|
20002|al_safa|الصفا|C|16.885,42.570|
20003|al_suways|السويس|S|16.860,42.595|
20004|al_bashair|البشائر|E|16.860,42.625|
20005|al_matar|المطار|C|16.900,42.580|
20006|al_rawabi|الروابي|N|16.950,42.590|
20007|al_zuhur|الزهور|N|16.910,42.620|
20008|al_shati|الشاطئ|N|16.935,42.550|
20009|al_rawdah|الروضة|N|16.910,42.580|
20010|al_shamiyah|الشامية|C|16.895,42.545|
20011|al_nur|النور|N|16.945,42.635|
20012|al_nasim|النسيم|C|16.905,42.595|
20013|al_jabal|الجبل|C|16.890,42.555|
`,
};
