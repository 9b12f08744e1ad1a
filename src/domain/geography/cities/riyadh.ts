/**
 * Riyadh. Rows: `id|slug|name_ar|direction|lat,lng|other spellings`, parsed by `../gazetteer.ts`. Neighborhood centers
 * are accurate to about half a kilometer.
 */
export const RIYADH = {
  riyadh: `
1001|al_malqa|الملقا|N|24.800,46.600|Almalga;Al Malga
1002|al_yasmin|الياسمين|N|24.825,46.640|Al Yasmeen;Al Yasameen
1003|al_narjis|النرجس|N|24.850,46.660|Al Narjes;Al Narcissus
1004|al_arid|العارض|N|24.880,46.620|Al Areed;Al Aarid;Al Ared
1005|al_qairawan|القيروان|N|24.835,46.585|Al Qayrawan;Al Qirawan;Al Kayrawan;Al Kairouan
1006|al_sahafa|الصحافة|N|24.805,46.640|Al Sahafah
1007|al_aqiq|العقيق|N|24.775,46.625|Al Aqeeq;Al Akik
1008|hittin|حطين|N|24.765,46.605|Hettin;Hiteen;Hitteen
1009|al_nakheel|النخيل|N|24.740,46.615|Al Nakhil
1010|al_rabie|الربيع|N|24.795,46.660|Al Rabi;Al Rabea
1011|al_nada|الندى|N|24.805,46.680|
1012|al_falah|الفلاح|N|24.795,46.710|
1013|al_wadi|الوادي|N|24.790,46.690|Al Alwadi
1014|al_ghadir|الغدير|N|24.775,46.655|Al Ghadeer
1015|al_nafel|النفل|N|24.785,46.675|Al Nafl;Al Nafal
1016|al_muruj|المروج|N|24.755,46.665|Al Morouj;Al Murooj;Al Muroj
1017|al_masif|المصيف|N|24.765,46.680|Al Masyaf;Al Maseef
1018|al_taawun|التعاون|N|24.770,46.700|Al Taawon;Al Taawoun
1019|al_izdihar|الازدهار|N|24.780,46.715|Al Ezdihar;Al Izdehar;Al Aizdihar
1020|al_mughrizat|المغرزات|N|24.765,46.725|Al Mughrazat;Al Mugharrazat
1021|al_nuzha|النزهة|N|24.755,46.710|Al Nozha
1022|al_mursalat|المرسلات|N|24.750,46.690|Al Morsalat
1023|salah_ad_din|صلاح الدين|N|24.730,46.700|Salahuddin;Salah Al Din
1024|king_fahd|الملك فهد|N|24.740,46.670|King Fahad
1025|al_wurud|الورود|N|24.720,46.675|Al Woroud;Al Wuroud;Al Woroud
1026|al_rahmaniyah|الرحمانية|N|24.715,46.660|Al Rahmania
1027|al_muhammadiyah|المحمدية|N|24.730,46.650|Al Mohammadiyah;Al Mohammadiya
1028|al_raed|الرائد|W|24.710,46.640|Al Raid
1029|al_olaya|العليا|C|24.690,46.685|Al Ulaya;Olaya;Al Ulya
1030|al_sulaymaniyah|السليمانية|C|24.705,46.705|Al Sulimaniyah;Al Sulaimaniyah;Al Sulaymania
1031|king_abdulaziz|الملك عبدالعزيز|C|24.720,46.725|King Abdul Aziz
1032|king_abdullah|الملك عبدالله|C|24.735,46.745|King Abdullah City;King Abduallah
1033|al_wahah|الواحة|N|24.740,46.715|Al Waha
1034|king_salman|الملك سلمان|C||
1035|al_rawdah|الروضة|E|24.735,46.770|Al Rawda
1036|qurtubah|قرطبة|E|24.815,46.740|Qurtoba;Cordoba;Kordoba
1037|ghirnatah|غرناطة|E|24.795,46.750|Ghernata;Granada;Ghornatah
1038|ishbiliyah|إشبيلية|E|24.795,46.790|Ashbiliyah;Ishbilia;Eshbiliah;Seville
1039|al_yarmuk|اليرموك|E|24.810,46.785|Al Yarmouk;Al Yarmook
1040|al_hamra|الحمراء|E|24.775,46.755|Al Hamraa
1041|al_shuhada|الشهداء|E|24.785,46.735|Al Shohada
1042|al_khaleej|الخليج|E|24.775,46.805|Al Khalij
1043|al_nahdah|النهضة|E|24.760,46.815|Al Nahda
1044|al_munsiyah|المونسية|E|24.830,46.765|المؤنسية;Al Monsiyah;Al Munisiyah;Al Mounsiyah
1045|al_qadisiyah|القادسية|E|24.820,46.815|Al Qadisiya;Al Qadsia
1046|al_maizilah|المعيزلة|E|24.795,46.840|المعيزيلة;المعيزلية;Al Maizliyah;Al Maezliyah;Al Muayzlah
1047|al_rimal|الرمال|E|24.865,46.820|Al Remal;Ar Rimaal;Al Ramal
1048|al_janadriyah|الجنادرية|E|24.875,46.910|Al Janadiriyah;Al Janadria
1049|al_quds|القدس|E|24.755,46.755|Al Qods;Al Qudus
1050|al_andalus|الأندلس|E|24.745,46.790|Al Andalous
1051|al_rawabi|الروابي|E|24.690,46.790|
1052|al_nasim_al_sharqi|النسيم الشرقي|E|24.740,46.845|Al Naseem East;East Al Naseem;Al Naseem Al Sharqi;Eastern Al Nasim
1053|al_nasim_al_gharbi|النسيم الغربي|E|24.725,46.825|Al Naseem West;West Al Naseem;Al Naseem Al Gharbi;Western Al Nasim
1054|al_rayyan|الريان|E|24.715,46.780|Al Rayan;Al Rayaan
1055|al_rabwah|الربوة|C|24.690,46.755|Al Rabwa
1056|al_jazirah|الجزيرة|E|24.665,46.795|Al Jazeera;Al Jazeerah
1057|al_salam|السلام|E|24.705,46.810|Al Salaam
1058|al_sulay|السلي|E|24.650,46.845|Al Sulai;Al Sulayy;As Sulay
1059|al_nur|النور|E|24.630,46.815|Al Nour;Al Noor
1060|al_fayha|الفيحاء|E|24.685,46.810|Al Faiha
1061|al_saadah|السعادة|E|24.695,46.840|Al Saada
1062|al_manar|المنار|E|24.725,46.795|
1063|al_nadheem|النظيم|E|24.810,46.890|Al Nazim;Al Nadhim
1064|al_nadwah|الندوة|E|24.795,46.875|Al Nadwa
1065|al_rimayah|الرماية|E|24.770,46.875|Al Remayah
1066|al_bariyah|البرية|E|24.560,46.950|Al Barriyah;Al Birriyyah
1067|khashm_al_an|خشم العان|E|24.680,46.905|Khashim Al An
1068|al_difa|الدفاع|E|24.585,46.830|Al Defaa
1069|al_manakh|المناخ|E|24.610,46.800|
1070|al_misfat|المصفاة|S|24.480,46.915|
1071|al_malaz|الملز|C|24.665,46.735|Al Malazz
1072|jareer|جرير|C|24.680,46.750|Jarir
1073|al_dubbat|الضباط|C|24.680,46.720|Al Dhubbat;Al Dhobbat
1074|al_zahra|الزهراء|C|24.690,46.730|Al Zahraa
1075|al_safa|الصفا|C|24.665,46.765|
1076|al_faruq|الفاروق|C|24.655,46.775|Al Farouq;Al Farooq
1077|al_wizarat|الوزارات|C|24.680,46.715|Al Wozarat
1078|al_amal|العمل|C|24.645,46.725|
1079|thulaim|ثليم|C|24.640,46.730|Thulaym
1080|al_murabba|المربع|C|24.660,46.710|Al Moraba
1081|al_futah|الفوطة|C|24.640,46.710|Al Fouta;Al Fotah
1082|al_namudhajiyah|النموذجية|C|24.655,46.695|Al Namouthajiyah;Al Namothajiyah
1083|ulayshah|عليشة|C|24.635,46.690|Olaisha;Aleesha;Alisha
1084|al_nasiriyah|الناصرية|C|24.650,46.680|Al Nasriyah
1085|umm_al_hamam_al_sharqi|أم الحمام الشرقي|W|24.690,46.660|Umm Al Hamam East;East Umm Al Hamam;East Um Al Hamam;Umm Al Hammam East;Eastern Umm Al Hamam
1086|umm_al_hamam_al_gharbi|أم الحمام الغربي|W|24.690,46.645|Umm Al Hamam West;West Umm Al Hamam;West Um Al Hamam;Umm Al Hammam West;Western Umm Al Hamam
1087|al_maathar|المعذر|C|24.670,46.670|Al Mathar;Al Maather
1088|al_maathar_al_shamali|المعذر الشمالي|N|24.690,46.665|Al Mathar Al Shamali;North Al Maather;Al Maathar North;North Al Mathar;Northern Al Maathar
1089|al_mutamarat|المؤتمرات|C|24.670,46.685|Al Mutamarat;Al Motamarat
1090|al_badiah|البديعة|W|24.615,46.680|Al Badeah;Al Badiya;Al Badiyah;Al Badia
1091|dhahrat_al_badiah|ظهرة البديعة|W|24.600,46.650|Dhahrat Al Badeah;Zahrat Al Badiah;Zahrat Al Badeah
1092|al_suwaidi|السويدي|W|24.590,46.670|Al Suwaydi;Al Sowaidi;Al Suwaidy
1093|al_suwaidi_al_gharbi|السويدي الغربي|W|24.575,46.625|Al Suwaydi Al Gharbi;West Al Suwaidi;Al Suwaidi West;Western Al Suwaidi;Al Suwaidi Al Gharabi
1094|al_zuhrah|الزهرة|W|24.580,46.645|Al Zohra;Al Zahrah
1095|sultanah|سلطانة|W|24.600,46.690|Sultana
1096|al_uraija|العريجاء|W|24.625,46.655|Al Urayja;Al Oraija;Al Oreija;Al Urija;Al Uraijaa;Al Arija
1097|al_uraija_al_gharbiyah|العريجاء الغربية|W|24.600,46.600|Al Urayja Al Gharbiyah;West Al Uraija;Al Oraija Al Gharbi;Al Urija Al Gharbi;Al Oraija West;West Al Oraija;Western Al Arija
1098|al_uraija_al_wusta|العريجاء الوسطى|W|24.610,46.640|Al Urayja Al Wusta;Middle Al Uraija;Al Oraija Al Wosta;Al Urija Al Wusta;Al Oraija Middle;Central Al Uraija;Central Al Arija
1099|dhahrat_laban|ظهرة لبن|W|24.630,46.545|Dhahrat Laban;Zahrat Laban;Dharat Laban;Dahrat Laban;Dhahret Laban
1100|laban|لبن|W|24.630,46.610|هجرة لبن;Hijrat Laban
1101|tuwaiq|طويق|W|24.570,46.530|Tuwayq;Towaiq;Tuwaiq
1102|namar|نمار|W|24.570,46.680|Nammar
1103|dhahrat_namar|ظهرة نمار|W||Dhahrat Nammar;Zahrat Namar;Dharat Namar;Dahrat Namar
1104|dirab|ديراب|S|24.510,46.620|Deerab;Dyrab
1105|al_hazm|الحزم|S|24.540,46.650|Al Hazem
1106|shubra|شبرا|W|24.575,46.670|Shobra;شبراء
1107|al_shifa|الشفا|S|24.565,46.700|الشفاء;Al Shafa
1108|badr|بدر|S|24.535,46.725|Bader
1109|al_marwah|المروة|S|24.540,46.670|Al Marwa
1110|al_dar_al_baida|الدار البيضاء|S|24.565,46.790|Dar Al Baida;Al Dar Al Bayda;Dar Al Bayda;Al Dar Al Beida;Casablanca
1111|al_aziziyah|العزيزية|S|24.590,46.770|Al Aziziya;Al Azizia
1112|al_mansuriyah|المنصورية|S|24.520,46.800|Al Mansoriyah;Al Mansouriyah
1113|taybah|طيبة|S|24.545,46.830|Taiba;Tiba;Teebah
1114|al_hair|الحائر|S|24.420,46.885|الحاير;Al Haer;Al Hayer
1115|ukaz|عكاظ|S|24.515,46.665|Okaz;Akaz
1116|uhud|أحد|S|24.490,46.635|Ohod;Ohud
1117|irqah|عرقة|W|24.690,46.590|Irqa;Erqah;Irgah;Arqa
1118|al_khuzama|الخزامى|W|24.710,46.610|Al Khozama;Al Khuzami;Al Khuzama
1119|al_safarat|السفارات|W|24.680,46.620|الحي الدبلوماسي;Diplomatic Quarter;Al Alsafarat
1120|al_mahdiyah|المهدية|W|24.655,46.515|Al Mahdia;Al Mahdiya
1121|al_khalidiyah|الخالدية|C|24.625,46.755|Al Khaldiyah;Al Khalidiya
1122|al_mansurah|المنصورة|C|24.610,46.745|Al Mansoura;Al Mansourah;Al Mansorah
1123|manfuhah|منفوحة|C|24.600,46.730|Manfuha;Manfouha
1124|manfuhah_al_jadidah|منفوحة الجديدة|C|24.615,46.715|New Manfuha;New Manfuhah;Manfouha Al Jadidah;Manfuha Al Jadidah
1125|al_yamamah|اليمامة|C|24.595,46.715|Al Yamama
1126|al_oud|العود|C|24.625,46.730|Al Ud;Al Owd
1127|ghubairah|غبيرة|C|24.620,46.735|Ghubaira;Ghobairah;Ghubayrah;غبيراء;Ghabira
1128|al_salhiyah|الصالحية|C|24.635,46.735|Al Salihiyah
1129|meakal|معكال|C|24.625,46.715|Miakal
1130|al_dirah|الديرة|C|24.630,46.710|Al Deerah;Al Deira
1131|al_dubiyah|الدوبية|C|24.620,46.710|
1132|al_qura|القرى|C|24.630,46.715|
1133|al_shumaisi|الشميسي|C|24.625,46.700|Al Shumaysi;Al Shemaisi;Al Shmaisi
1134|al_jaradiyah|الجرادية|C|24.620,46.700|Al Jarradiyah
1136|umm_salim|أم سليم|C|24.635,46.700|Umm Sulaim;Um Salim;Umm Saleem
1137|al_butaiha|البطيحا|C|24.620,46.720|البطيحاء;Al Bateha;Al Butayha
1138|al_wusaita|الوسيطاء|C|24.624,46.716|Al Wusayta;Al Wasaita
1139|atiqah|عتيقة|C|24.600,46.705|العتيقة;Otaiqah;Atika;Utaiqah
1140|sikirinah|سكيرينة|C|24.6175,46.7175|Skirinah;Sakirinah;Sukayrinah
1141|al_marqab|المرقب|C|24.635,46.725|Al Margab
1142|jabrah|جبرة|C|24.625,46.720|Jabra
1143|al_wisham|الوشام|C|24.640,46.700|
1144|al_fakhriyah|الفاخرية|C|24.640,46.680|Al Fakhiriyah
1145|al_hada|الهدا|W|24.660,46.640|Al Hadaa
1147|jamiat_al_malik_saud|جامعة الملك سعود|W|24.725,46.625|King Saud University
1148|jamiat_al_imam|جامعة الإمام محمد بن سعود الإسلامية|N|24.815,46.700|جامعة الإمام;Imam University
1150|airport|مطار الملك خالد الدولي|E|24.940,46.695|المطار;King Khalid International Airport;Airport
1151|banban|بنبان|N|24.990,46.530|
1152|al_khair|الخير|N|25.060,46.415|Al Kheir;Al Kair
1153|al_masani|المصانع|S|24.560,46.745|Al Masanea
1154|new_industrial_city|المدينة الصناعية الجديدة|S|24.545,46.900|المدينة الصناعية الثانية;2nd Industrial City
1155|al_sinaiyah|الصناعية|C|24.640,46.745|المدينة الصناعية الأولى;Industrial City;Old Al Industrial Area
1156|al_faisaliyah|الفيصلية|S|24.635,46.780|Al Faisaliyah
1157|al_iskan|الإسكان|S|24.575,46.845|Al Eskan
1158|al_ghannamiyah|الغنامية|S|24.480,46.815|Al Ghanamiyah;Al Ghnamiah
1159|uraidh|عريض|S|24.450,46.725|Urayd;Oraidh
1161|al_sidrah|السدرة|E|24.450,46.880|سدرة;Sedra;Sidra
1162|al_zahir|الزاهر|E|25.050,47.070|Al Zaher
1163|al_bayan|البيان|E|24.875,46.860|
1167|al_shuala|الشعلة|E|25.070,47.145|Al Shula
1168|al_mashriq|المشرق|E|24.985,47.045|Al Mashreq
1170|al_diriyah|الدرعية|W|24.740,46.575|Diriyah;Ad Diriyah
1171|al_amajiyah|العماجية|S|24.440,46.980|Al Ammajiyah
1172|al_malik_faisal|الملك فيصل|E|24.760,46.775|King Faisal
1175|al_sharafiyah|الشرفية|C|24.660,46.670|Al Sharafia
1176|al_rafiah|الرفيعة|W|24.640,46.660|Al Rafiea;Al Rafia
1177|siyah|صياح|C|24.605,46.700|
1178|al_duraihimiyah|الدريهمية|W|24.590,46.695|Al Duraihemiyah;Al Derihmiyah
1179|dahiyat_namar|ضاحية نمار|W|24.505,46.540|Dahiat Namar
1180|al_awali|العوالي|W|24.560,46.610|Al Awaly
1181|al_dahu|الدحو|C|24.629,46.714|Al Dahou
1182|hit|هيت|S|24.480,46.980|Heet;Hyt
1183|al_mashail|المشاعل|E|24.610,46.875|Al Mishael;Al Mishal
1184|al_rabiyah|الرابية|E|24.970,46.950|Al Rabia
1185|wadi_laban|وادي لبن|W|24.585,46.485|Wady Laban
1186|al_tadamun|التضامن|E|25.120,47.090|Al Tadamon
1187|al_basatin|البساتين|E|25.130,47.190|Al Basateen
1188|al_rihab|الرحاب|E|25.095,47.270|Al Rehab
1189|al_majd|المجد|E|25.065,47.280|
1190|al_danah|الدانة|E|25.085,47.230|
1191|al_risalah|الرسالة|E|25.050,47.240|
1192|al_fursan|الفرسان|E|25.000,47.185|
1193|al_rayah|الراية|E|25.040,47.205|Al Raya
1194|al_zuhur|الزهور|E|25.075,47.200|Al Zohour;Al Zahour
1195|al_murjan|المرجان|E|24.930,46.875|Al Marjan
1196|al_ula|العلا|E|25.025,47.135|
1197|al_nukhbah|النخبة|E|25.025,47.275|Al Nakhbah
1198|al_sahab|السحاب|E|24.940,46.970|
1199|al_wisam|الوسام|E|24.905,46.895|Al Wasam
1200|al_sharq|الشرق|E|24.880,46.855|
1201|umm_al_shaal|أم الشعال|S|24.365,46.960|
1202|dhahrat_al_awdah_gharb|ظهرة العودة غرب|||
1203|dhahrat_al_awdah_sharq|ظهرة العودة شرق|||
1204|umm_al_hamam|أم الحمام|||
`,
};
